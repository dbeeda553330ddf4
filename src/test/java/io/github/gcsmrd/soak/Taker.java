// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.testing.ObjectContent;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes the bytes of one range and compares each, in any of the ways that user code has. Serial, as
 * the library calls it.
 */
final class Taker implements Flow.Subscriber<Chunk> {
  private static final long SLOWNESS_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  private final ObjectContent content;
  private final ByteRange.Bounded range;
  private final Random random;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private volatile long next;
  private volatile Flow.Subscription subscription;

  Taker(ObjectContent content, ByteRange.Bounded range, long seed) {
    this.content = content;
    this.range = range;
    this.random = new Random(seed);
    this.next = range.offset();
  }

  void compare(Chunk chunk) {
    assertEquals(next, chunk.offset());
    next = chunk.offset() + chunk.length();
    if (random.nextInt(4) == 0) {
      try (Chunk kept = chunk.retain()) {
        compareBytes(kept);
      }
    } else {
      compareBytes(chunk);
    }
  }

  private void compareBytes(Chunk chunk) {
    long at = chunk.offset();
    for (ByteBuffer bytes : chunk.buffers()) {
      int length = bytes.remaining();
      assertTrue(content.matches(at, bytes), () -> "bytes of " + chunk);
      at += length;
    }
  }

  void compareSlowly(Chunk chunk) {
    LockSupport.parkNanos(SLOWNESS_NANOS);
    compare(chunk);
  }

  /** Stands still until somebody else lets it go. */
  void compareLater(Chunk chunk, CountDownLatch go) throws InterruptedException {
    assertTrue(go.await(60, TimeUnit.SECONDS), "never let go");
    compare(chunk);
  }

  CompletionStage<Void> compareOn(Executor executor, Chunk chunk) {
    return CompletableFuture.runAsync(() -> compare(chunk), executor);
  }

  /** Completed when it has had all its bytes as a subscriber. */
  CompletableFuture<Void> end() {
    return end;
  }

  @Override
  public void onSubscribe(Flow.Subscription mine) {
    subscription = mine;
    mine.request(1);
  }

  @Override
  public void onNext(Chunk chunk) {
    try (chunk) {
      compare(chunk);
      subscription.request(1);
    } catch (AssertionError wrong) {
      subscription.cancel();
      end.completeExceptionally(wrong);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    if (next == range.offset() + range.length()) {
      end.complete(null);
    } else {
      end.completeExceptionally(new AssertionError("completed at " + next + " of " + range));
    }
  }
}
