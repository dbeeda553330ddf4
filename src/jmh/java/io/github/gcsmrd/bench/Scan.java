// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A number of streams that each read all of the object over and over, some ranges in flight at a
 * time. Immutable.
 *
 * @param streams how many streams, of one connection
 * @param rangesInFlight the ranges of one call; the next call follows when all are delivered
 * @param rangeBytes the length of each
 * @param objectBytes the size of the object, a multiple of what a call reads
 * @param delivery where the bytes go
 */
record Scan(int streams, int rangesInFlight, int rangeBytes, long objectBytes, Delivery delivery)
    implements Workload {

  Scan {
    if (objectBytes % ((long) rangesInFlight * rangeBytes) != 0) {
      throw new IllegalArgumentException(
          "the object's size is no multiple of " + rangesInFlight + " ranges of " + rangeBytes);
    }
  }

  @Override
  public String name() {
    return String.format("%2d streams, %s", streams, delivery.name().toLowerCase());
  }

  @Override
  public long run(Competitor competitor, long time, TimeUnit unit) throws Exception {
    long deadline = System.nanoTime() + unit.toNanos(time);
    AtomicLong bytes = new AtomicLong();
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(end);
      next(competitor, i, 0, deadline, bytes, end);
    }
    CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)).get();
    return bytes.get();
  }

  private void next(
      Competitor competitor,
      int stream,
      long offset,
      long deadline,
      AtomicLong bytes,
      CompletableFuture<Void> end) {
    competitor
        .read(stream, offset, rangeBytes, rangesInFlight, delivery)
        .whenComplete(
            (read, failure) -> {
              if (failure != null) {
                end.completeExceptionally(failure);
              } else if (System.nanoTime() - deadline >= 0) {
                bytes.addAndGet(read);
                end.complete(null);
              } else {
                bytes.addAndGet(read);
                next(competitor, stream, (offset + read) % objectBytes, deadline, bytes, end);
              }
            });
  }
}
