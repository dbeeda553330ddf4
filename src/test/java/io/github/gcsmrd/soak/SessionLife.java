// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.testing.ObjectContent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The life of one session: some calls with ranges of all sizes into destinations of all kinds, some
 * of which are slow or given up. Confined to the thread that runs it, but for what the library
 * calls.
 */
final class SessionLife {
  private static final int MIB = 1 << 20;
  private static final long LIMIT_SECONDS = 90;

  /** Patient: what goes wrong here does so far more often than a budget is made for. */
  private static final RetryPolicy RETRIES =
      RetryPolicy.builder()
          .initialDelay(Duration.ofMillis(1))
          .maxDelay(Duration.ofMillis(50))
          .maxAttempts(10_000)
          .build();

  private final GcsClient client;
  private final ObjectContent content;
  private final Random random;
  private final Executor asyncSinks;
  private final AtomicLong bytesRead;
  private final List<CompletableFuture<?>> ends = new ArrayList<>();
  private final List<CompletableFuture<?>> quiets = new ArrayList<>();
  private final List<CompletableFuture<?>> standingStill = new ArrayList<>();
  private final CountDownLatch go = new CountDownLatch(1);
  private volatile boolean closedEarly;

  SessionLife(
      GcsClient client,
      ObjectContent content,
      Random random,
      Executor asyncSinks,
      AtomicLong bytesRead) {
    this.client = client;
    this.content = content;
    this.random = random;
    this.asyncSinks = asyncSinks;
    this.bytesRead = bytesRead;
  }

  /** Lives, over so many streams at most. */
  void run(int streams) throws Exception {
    MrdOptions options = MrdOptions.builder().retryPolicy(RETRIES).streams(1, streams).build();
    try (MultiRangeDownloader mrd = client.createMrd("bucket", "object", options)) {
      int calls = 1 + random.nextInt(3);
      for (int i = 0; i < calls; i++) {
        download(mrd);
      }
      if (random.nextInt(3) == 0) {
        subscribe(mrd);
      }
      if (random.nextInt(8) == 0) {
        closedEarly = true;
        mrd.closeAsync();
      }
      // Those who stand still are let go only when all others are through.
      await(ends);
      go.countDown();
      await(standingStill);
    } finally {
      go.countDown();
    }
    await(quiets);
  }

  private void await(List<CompletableFuture<?>> futures) throws Exception {
    CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private void download(MultiRangeDownloader mrd) {
    int count = 1 + random.nextInt(8);
    List<RangeRequest> requests = new ArrayList<>();
    int still = random.nextInt(6) == 0 ? random.nextInt(count) : -1;
    for (int i = 0; i < count; i++) {
      ByteRange.Bounded range = range();
      Taker taker = new Taker(content, range, random.nextLong());
      requests.add(
          i == still
              ? RangeRequest.to(chunk -> taker.compareLater(chunk, go), range)
              : request(range, taker));
    }
    Download download = mrd.downloadRanges(requests);
    quiets.add(download.quiesced());
    for (int i = 0; i < count; i++) {
      CompletableFuture<RangeResult> range = download.range(i);
      (i == still ? standingStill : ends)
          .add(range.handle((result, failure) -> check(range, result, failure)));
      if (random.nextInt(12) == 0) {
        range.cancel(false);
      }
    }
    if (random.nextInt(12) == 0) {
      download.cancel(false);
    }
  }

  private ByteRange.Bounded range() {
    int length =
        switch (random.nextInt(20)) {
          case 0 -> 16 * MIB + random.nextInt(4 * MIB);
          case 1, 2, 3 -> 1 + random.nextInt(4 * MIB);
          case 4, 5, 6, 7, 8, 9 -> 1 + random.nextInt(MIB / 4);
          default -> 1 + random.nextInt(4096);
        };
    long offset = (long) (random.nextDouble() * (content.size() - length));
    return (ByteRange.Bounded) ByteRange.of(offset, length);
  }

  private RangeRequest request(ByteRange.Bounded range, Taker taker) {
    int length = (int) range.length();
    return switch (random.nextInt(7)) {
      case 0 -> RangeRequest.to(taker::compare, range);
      case 1 -> RangeRequest.to(taker::compareSlowly, range);
      case 2 -> RangeRequest.to(taker::compare, range).onEventLoop();
      case 3 -> RangeRequest.toAsync(chunk -> taker.compareOn(asyncSinks, chunk), range);
      case 4 -> RangeRequest.allocate(range, ByteBuffer::allocate, buffer -> {});
      default -> RangeRequest.into(ByteBuffer.allocate(length), range);
    };
  }

  private void subscribe(MultiRangeDownloader mrd) {
    ByteRange.Bounded range = range();
    Taker taker = new Taker(content, range, random.nextLong());
    if (random.nextBoolean()) {
      mrd.publisher(range).views().subscribe(taker);
    } else {
      mrd.publisher(range).subscribe(taker);
    }
    ends.add(taker.end().handle((nothing, failure) -> checkEnd(range, failure)));
  }

  private Void check(CompletableFuture<RangeResult> range, RangeResult result, Throwable failure) {
    if (range.isCancelled()) {
      return null;
    }
    if (failure != null) {
      return checkEnd(range, failure);
    }
    ByteRange.Bounded asked = (ByteRange.Bounded) result.range();
    assertEquals(asked.offset(), result.offset());
    assertEquals(asked.length(), result.length());
    assertTrue(result.verified(), result::toString);
    result
        .buffer()
        .ifPresent(
            bytes ->
                assertTrue(content.matches(result.offset(), bytes), () -> "bytes of " + result));
    bytesRead.addAndGet(result.length());
    return null;
  }

  private Void checkEnd(Object what, Throwable failure) {
    if (failure != null && !(closedEarly && failure instanceof SessionClosedException)) {
      throw new AssertionError(what + " failed", failure);
    }
    return null;
  }
}
