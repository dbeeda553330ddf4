// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

/**
 * Takes the bytes of one range, chunk by chunk, in rising offset order, each byte once.
 *
 * <p>It is called on the client's blocking executor, one call at a time for a range, so it may
 * block: the server then waits, and what the range holds counts against {@link
 * GcsClientBuilder#sinkMemoryBytes}. With {@link RangeRequest#onEventLoop()} it is called on the
 * event loop instead and must never block. Calls of different ranges may run at the same time.
 */
@FunctionalInterface
public interface RangeSink {

  /**
   * Takes the next chunk.
   *
   * @param chunk the next bytes, checked; its memory is valid until this method returns, use {@link
   *     Chunk#retain()} to keep it longer
   * @throws Exception to give the range up: it fails with this exception, which is never taken for
   *     a network error; other ranges go on
   */
  void accept(Chunk chunk) throws Exception;
}
