// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Completions that one thread works through, or several if one of them blocks: each is taken once.
 * Thread-safe but for {@link #isStuck}, which is the loop's.
 */
final class CompletionBatch implements Runnable {
  private static final System.Logger LOG = System.getLogger(CompletionBatch.class.getName());

  /** What this thread works on: an executor may run a batch on the thread that hands it over. */
  private static final ThreadLocal<@Nullable CompletionBatch> AT_WORK = new ThreadLocal<>();

  private final List<Runnable> completions;
  private final Executor executor;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger handed = new AtomicInteger();
  private final AtomicInteger started = new AtomicInteger();
  private volatile boolean relayed;
  private int lastSeen;

  /**
   * A batch that nobody works on.
   *
   * @param completions not changed any more
   * @param executor gives the threads that work on it
   */
  CompletionBatch(List<Runnable> completions, Executor executor) {
    this.completions = completions;
    this.executor = executor;
  }

  /**
   * Asks another thread to work on it. If the executor has none to give (a user's was shut down
   * before its client, or the process is out of threads) one is made for it: no future may hang for
   * that. If even that fails, nobody was asked.
   */
  void hand() {
    handed.incrementAndGet();
    try {
      executor.execute(new HandOver());
    } catch (RuntimeException | Error refused) {
      rescue();
    }
  }

  /** A task of the executor's; a level deeper on a thread that is at it already is no other one. */
  private final class HandOver implements Runnable {
    @Override
    public void run() {
      if (AT_WORK.get() == CompletionBatch.this) {
        rescue();
      } else {
        CompletionBatch.this.run();
      }
    }
  }

  private void rescue() {
    try {
      Thread rescue = new Thread(this, "gcs-mrd-rescue");
      rescue.setDaemon(true);
      rescue.start();
    } catch (RuntimeException | Error noThread) {
      handed.decrementAndGet();
      LOG.log(System.Logger.Level.WARNING, "No thread for a completion callback yet", noThread);
    }
  }

  /**
   * From now on its threads look after it: each has another stand by before it calls a callback
   * that could hold up the rest. That costs a hand-over for each, so it is for the end of a session
   * alone.
   */
  void relay() {
    relayed = true;
    if (handed.get() > 0) {
      standBy();
    }
  }

  /**
   * Sees to it that somebody is on the way while something is left. Each thread looks after it has
   * begun and taken something, so the one that begins last sees all others begun.
   */
  private void standBy() {
    if (relayed && !isTaken() && allBegan()) {
      hand();
    }
  }

  /** Nobody could be asked, and nobody will ask again: better here than never. */
  void runIfNobodyDoes() {
    if (handed.get() == 0) {
      run();
    }
  }

  /** Whether one completion could keep others waiting, or nobody could be asked. */
  boolean mayHoldUp() {
    return handed.get() == 0 || (completions.size() > 1 && !isTaken());
  }

  /** Whether nothing is left to be taken. */
  boolean isTaken() {
    return next.get() >= completions.size();
  }

  /** Whether all threads that were asked have begun. */
  private boolean allBegan() {
    return started.get() >= handed.get();
  }

  /**
   * Whether all threads that were asked have begun and none took anything since the last call: they
   * are all held up.
   */
  boolean isStuck() {
    int now = next.get();
    boolean moved = now != lastSeen;
    lastSeen = now;
    return !moved && allBegan();
  }

  @Override
  public void run() {
    CompletionBatch before = AT_WORK.get();
    AT_WORK.set(this);
    started.incrementAndGet();
    try {
      for (int i = next.getAndIncrement(); i < completions.size(); i = next.getAndIncrement()) {
        standBy();
        complete(completions.get(i));
      }
    } finally {
      AT_WORK.set(before);
    }
  }

  private static void complete(Runnable completion) {
    try {
      completion.run();
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "A completion callback threw", e);
    }
  }
}
