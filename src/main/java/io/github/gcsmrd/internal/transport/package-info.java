// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * Channels, event loops, credentials and request headers: everything that knows gRPC's habits, kept
 * behind the seams of {@code internal.stream}.
 */
@NullMarked
package io.github.gcsmrd.internal.transport;

import org.jspecify.annotations.NullMarked;
