// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A subscriber that keeps its chunks, and sees to it that signals come one at a time. */
class Probe implements Flow.Subscriber<Chunk> {
  private static final long WAIT_SECONDS = 20;

  private final BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final AtomicInteger received = new AtomicInteger();
  private final AtomicBoolean signalling = new AtomicBoolean();
  private final CompletableFuture<AssertionError> overlap = new CompletableFuture<>();
  private volatile Flow.Subscription subscription;

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    alone(() -> this.subscription = subscription);
  }

  @Override
  public void onNext(Chunk chunk) {
    alone(
        () -> {
          received.incrementAndGet();
          chunks.add(chunk);
          onChunk(chunk);
        });
  }

  /** Called for each chunk; for tests that do more. */
  void onChunk(Chunk chunk) {}

  @Override
  public void onError(Throwable failure) {
    alone(() -> end.completeExceptionally(failure));
  }

  @Override
  public void onComplete() {
    alone(() -> end.complete(null));
  }

  private void alone(Runnable signal) {
    if (!signalling.compareAndSet(false, true)) {
      overlap.complete(new AssertionError("a signal came while another was not over"));
    }
    try {
      signal.run();
    } finally {
      signalling.set(false);
    }
  }

  Flow.Subscription subscription() {
    return subscription;
  }

  void request(long chunks) {
    subscription.request(chunks);
  }

  int received() {
    return received.get();
  }

  boolean isOver() {
    return end.isDone();
  }

  /** The next so many chunks, waited for. */
  List<Chunk> take(int count) throws InterruptedException {
    List<Chunk> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Chunk chunk = chunks.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertNotNull(chunk, "only " + i + " of " + count + " chunks came; " + end);
      taken.add(chunk);
    }
    return taken;
  }

  /** The chunks not yet taken, once the subscription completed. */
  List<Chunk> rest() throws Exception {
    end.get(WAIT_SECONDS, TimeUnit.SECONDS);
    assertNull(overlap.getNow(null));
    List<Chunk> rest = new ArrayList<>();
    chunks.drainTo(rest);
    return rest;
  }

  /** The error that ended the subscription, waited for. */
  Throwable failure() throws Exception {
    Throwable failure = end.handle((nothing, thrown) -> thrown).get(WAIT_SECONDS, TimeUnit.SECONDS);
    assertNotNull(failure, "the subscription completed");
    assertTrue(end.isCompletedExceptionally());
    assertNull(overlap.getNow(null));
    return failure;
  }
}
