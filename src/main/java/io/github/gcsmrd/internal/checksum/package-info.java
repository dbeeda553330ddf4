// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * CRC32C over views of messages, combined without the bytes to the checksum of a whole object. A
 * running hash owns a reference to the memory it reads.
 */
@NullMarked
package io.github.gcsmrd.internal.checksum;

import org.jspecify.annotations.NullMarked;
