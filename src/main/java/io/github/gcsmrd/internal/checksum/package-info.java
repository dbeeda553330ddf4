// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
<<<<<<< HEAD
/** CRC32C of received bytes: computing it over views, and combining it without the bytes. */
=======
/**
 * CRC32C over views of messages, joined to the checksum of a whole object, on the event loop or on
 * a small pool. A running hash owns a reference to the memory it reads.
 */
>>>>>>> build
@NullMarked
package io.github.gcsmrd.internal.checksum;

import org.jspecify.annotations.NullMarked;
