// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Completions that one thread works through, or several if one of them blocks: each is taken once.
 * {@link #run} is thread-safe; the rest is confined to the loop.
 */
final class CompletionBatch implements Runnable {
  private static final System.Logger LOG = System.getLogger(CompletionBatch.class.getName());

  private final List<Runnable> completions;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger started = new AtomicInteger();
  private int handed;
  private int lastSeen;

  /**
   * A batch that nobody works on.
   *
   * @param completions not changed any more
   */
  CompletionBatch(List<Runnable> completions) {
    this.completions = completions;
  }

  /** Another thread is asked to work on it. */
  void handed() {
    handed++;
  }

  /** Whether one completion could keep others waiting. */
  boolean mayHoldUp() {
    return completions.size() > 1 && !isTaken();
  }

  /** Whether nothing is left to be taken. */
  boolean isTaken() {
    return next.get() >= completions.size();
  }

  /**
   * Whether all threads that were asked have begun and none took anything since the last call: they
   * are all held up.
   */
  boolean isStuck() {
    int now = next.get();
    boolean moved = now != lastSeen;
    lastSeen = now;
    return !moved && started.get() == handed;
  }

  @Override
  public void run() {
    started.incrementAndGet();
    for (int i = next.getAndIncrement(); i < completions.size(); i = next.getAndIncrement()) {
      try {
        completions.get(i).run();
      } catch (Throwable e) {
        LOG.log(System.Logger.Level.WARNING, "A completion callback threw", e);
      }
    }
  }
}
