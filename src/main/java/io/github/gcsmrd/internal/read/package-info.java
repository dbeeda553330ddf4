// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * One range: what was asked for, what remains of it, and the live read that brings chunks to their
 * destination in order. Knows nothing of gRPC.
 */
@NullMarked
package io.github.gcsmrd.internal.read;

import org.jspecify.annotations.NullMarked;
