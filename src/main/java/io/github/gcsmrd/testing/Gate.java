// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds a stream or a range of {@link FakeGcs} until a test lets it go on, so that no test needs to
 * sleep. Thread-safe.
 *
 * <p>A gate opens once and stays open. One gate may hold any number of streams and ranges.
 */
public final class Gate {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean open;

  private Gate() {}

  /**
   * Returns a closed gate.
   *
   * @return a new gate
   */
  public static Gate closed() {
    return new Gate();
  }

  /** Lets all that waits go on, and all that comes later pass. Doing it again does nothing. */
  public void open() {
    List<Runnable> released;
    synchronized (waiting) {
      open = true;
      released = List.copyOf(waiting);
      waiting.clear();
    }
    released.forEach(Runnable::run);
  }

  /**
   * Returns whether the gate was opened.
   *
   * @return true from the first {@link #open()} on
   */
  public boolean isOpen() {
    synchronized (waiting) {
      return open;
    }
  }

  /**
   * Waits until a stream or a range has come to this gate, whether it was open or not.
   *
   * @param timeout how long to wait at most
   * @throws AssertionError if none came in time
   * @throws InterruptedException if the thread was interrupted
   */
  public void awaitReached(Duration timeout) throws InterruptedException {
    if (!reached.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new AssertionError("nothing came to the gate within " + timeout);
    }
  }

  /**
   * Says that someone came, and calls back once the gate opens.
   *
   * @return true if the gate is open: the caller goes on at once and isn't called back
   */
  boolean pass(Runnable onOpen) {
    boolean passed;
    synchronized (waiting) {
      passed = open;
      if (!passed) {
        waiting.add(onOpen);
      }
    }
    reached.countDown();
    return passed;
  }
}
