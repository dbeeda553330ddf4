// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * A received message: parsed in place, its data as views of the buffers it came in, and who owns
 * them. Knows the wire format and nothing of the state of a range.
 */
@NullMarked
package io.github.gcsmrd.internal.wire;

import org.jspecify.annotations.NullMarked;
