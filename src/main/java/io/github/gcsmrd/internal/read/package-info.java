// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * One range: what was asked for, what remains of it, and the live read that brings chunks to their
 * destination in order. Knows nothing of gRPC.
 *
 * <p>Chunks that wait for a hash, or behind one, are held by the lane of their call, 32 at most.
 * Further ones stay in the message that brought them, and the stream is asked for no more until the
 * oldest is settled. Calls never wait for one another's hashes: a message with chunks of several
 * calls goes to each one's lane at once, whichever is full. They share the stream's order, though,
 * and its bound of 32 held messages. While the client may hold no more memory, nothing is handed to
 * a worker, and what must wait behind a hash does so as a copy; it counts as if it were held.
 *
 * <p>An error takes its turn behind what its call held when it came: a fault in a chunk, as a held
 * piece of its own; a limit of time or an allocator that failed, after the last piece there. A sink
 * that fails has its turn already: all that is held came after the chunk it failed at. Only
 * cancellation and close drop held chunks unverified.
 */
@NullMarked
package io.github.gcsmrd.internal.read;

import org.jspecify.annotations.NullMarked;
