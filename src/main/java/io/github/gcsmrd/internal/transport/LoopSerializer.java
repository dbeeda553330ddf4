// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Puts the events of one call into one order on its loop. {@link #arrive} may be called by any
 * thread; the rest is confined to the loop.
 *
 * <p>The rule: an event runs on the loop, with neither another event of this call nor a method of
 * it below it on the stack. An event that arrives inside an event runs right after that one; an
 * event that arrives inside a method (gRPC answers some calls at once) runs in a task of its own,
 * so that it never surprises the method's caller. Events keep the order in which they arrived,
 * whatever thread brought them, if they were brought one after the other.
 */
final class LoopSerializer {
  private final Loop loop;
  private final Queue<Runnable> queue = new ArrayDeque<>(4);

  /** Events that were handed to the loop from elsewhere and did not get there yet. */
  private final AtomicInteger hopping = new AtomicInteger();

  private boolean busy;
  private boolean drainScheduled;

  LoopSerializer(Loop loop) {
    this.loop = loop;
  }

  /** Whether an event may run at once, without {@link #arrive}: between {@link #begin} and end. */
  boolean isFree() {
    return loop.inLoop() && !busy && hopping.get() == 0 && queue.isEmpty();
  }

  /**
   * Runs an event as soon as the rule allows.
   *
   * @throws RejectedExecutionException if the loop was shut down: the event will never run
   */
  void arrive(Runnable event) {
    if (loop.inLoop() && hopping.get() == 0) {
      enqueue(event);
      return;
    }
    hopping.incrementAndGet();
    try {
      loop.execute(() -> land(event));
    } catch (RejectedExecutionException shutDown) {
      hopping.decrementAndGet();
      throw shutDown;
    }
  }

  private void land(Runnable event) {
    hopping.decrementAndGet();
    enqueue(event);
  }

  private void enqueue(Runnable event) {
    queue.add(event);
    if (!busy && !drainScheduled) {
      drain();
    }
  }

  /** Begins an event that found {@link #isFree}. */
  void begin() {
    assert loop.inLoop() && !busy;
    busy = true;
  }

  /** Ends an event and runs those that arrived inside it. */
  void end() {
    busy = false;
    drain();
  }

  /**
   * Enters a method of the call.
   *
   * @return what {@link #exit} needs
   */
  boolean enter() {
    assert loop.inLoop();
    boolean outermost = !busy;
    busy = true;
    return outermost;
  }

  /** Leaves a method of the call; what arrived inside it gets a task, or the event around it. */
  void exit(boolean outermost) {
    if (!outermost) {
      return;
    }
    busy = false;
    if (!queue.isEmpty() && !drainScheduled) {
      drainScheduled = true;
      loop.execute(this::drainLater);
    }
  }

  private void drainLater() {
    drainScheduled = false;
    drain();
  }

  private void drain() {
    while (!busy) {
      Runnable event = queue.poll();
      if (event == null) {
        return;
      }
      busy = true;
      try {
        event.run();
      } finally {
        busy = false;
      }
    }
  }
}
