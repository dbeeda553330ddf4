// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.concurrent.CompletionStage;

/**
 * Takes the bytes of one range, chunk by chunk, in rising offset order, each byte once, and says
 * through a future when it is done with each.
 *
 * <p>It is called on the client's blocking executor. The next call comes after the future of the
 * one before has completed, by whatever thread, and the range succeeds after the last; meanwhile
 * the server is asked for at most 8 MiB more of this range. A future that never completes holds up
 * its own range; what it holds counts against {@link GcsClientBuilder#sinkMemoryBytes}.
 */
@FunctionalInterface
public interface AsyncRangeSink {

  /**
   * Takes the next chunk.
   *
   * @param chunk the next bytes, checked; its memory is valid until the returned future completes,
   *     even if the range is given up before; use {@link Chunk#retain()} to keep it longer
   * @return completes when the chunk was used; null fails the range with {@link RangeException}; if
   *     it fails, the range fails with its exception (the cause of a {@link
   *     java.util.concurrent.CompletionException})
   * @throws Exception to give the range up: it fails with this exception, which is never taken for
   *     a network error; other ranges go on
   */
  CompletionStage<?> accept(Chunk chunk) throws Exception;
}
