// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * Channels, event loops, credentials and request headers: everything that knows gRPC's habits.
 *
 * <p>A connection lives on exactly one event loop, and so do its calls. gRPC calls back on that
 * loop as a rule, but not always: a failed name look-up or fetch of credentials comes from another
 * thread, and callbacks arrive nested inside calls of ours. {@link GrpcStreamCall} puts all of them
 * into one order on the loop; nothing above this package sees the difference.
 */
@NullMarked
package io.github.gcsmrd.internal.transport;

import org.jspecify.annotations.NullMarked;
