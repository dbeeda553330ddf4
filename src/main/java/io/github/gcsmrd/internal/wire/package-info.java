// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * One {@code BidiReadObject} message on the wire: requests encoded, responses parsed in place over
 * the buffers they came in. Knows neither gRPC nor a range's state.
 *
 * <h2>Who owns the memory of a message</h2>
 *
 * <ul>
 *   <li><b>Owner.</b> A message's buffers belong to its {@link
 *       io.github.gcsmrd.internal.wire.MessageMemory}, which counts references. It starts with one,
 *       owned by the receiver. A {@link io.github.gcsmrd.internal.wire.Content} is a view of it: it
 *       owns no reference, and is readable only while someone does.
 *   <li><b>Borrow.</b> Whoever is called with a content may read it until the call returns, and
 *       neither retains nor releases.
 *   <li><b>Retain.</b> Whoever keeps a content beyond the call retains first, while the reference
 *       of its caller still stands: a held chunk, a chunk kept by user code. A submitted hash owns
 *       a reference of its own, so that nobody frees what a running hash reads.
 *   <li><b>Hold.</b> Whoever retains beyond the callback that brought the message asks the memory
 *       first whether it {@link io.github.gcsmrd.internal.wire.MessageMemory#mayBeHeld may be
 *       held}; if not, it copies. A client's {@link io.github.gcsmrd.internal.wire.HoldLimit} says
 *       no while too much is pinned. A message that nobody holds never asks.
 *   <li><b>Release.</b> Whoever retained releases, exactly once. The last release frees the buffers
 *       on the thread that does it. A release too many is an {@link IllegalStateException}, never a
 *       second free.
 *   <li><b>Copy.</b> What outlives its message is copied out of it while it is parsed: the read
 *       handle and the metadata. Only the payload is viewed.
 * </ul>
 *
 * <p>Who frees, case by case:
 *
 * <ul>
 *   <li><b>Success:</b> the receiver closes the response once it has handed out the contents; those
 *       who retained release when they are done with theirs.
 *   <li><b>Malformed input:</b> the parser releases before it returns the {@link
 *       io.github.gcsmrd.internal.wire.MalformedResponse}; nothing else ever saw the buffers.
 *   <li><b>Error, cancel, close:</b> whoever holds a content drops its own reference, and only
 *       that. A running hash ends by itself and drops its own.
 *   <li><b>Late or unknown data:</b> nobody retains it, so that the receiver's close frees it.
 * </ul>
 */
@NullMarked
package io.github.gcsmrd.internal.wire;

import org.jspecify.annotations.NullMarked;
