// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/** CRC32C of received bytes: computing it over views, and combining it without the bytes. */
@NullMarked
package io.github.gcsmrd.internal.checksum;

import org.jspecify.annotations.NullMarked;
