// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.interleavings;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jetbrains.lincheck.Lincheck;

/**
 * Runs a scenario of a few threads again and again, each time with another interleaving of their
 * accesses to memory. Stateless and thread-safe.
 *
 * <p>A scenario builds what it needs, runs bodies {@link #together}, and asserts what must hold
 * whoever was first. Threads that wait for each other for ever are found too.
 */
public final class Interleavings {
  private static final int INVOCATIONS = Integer.getInteger("interleavings.invocations", 1_000);

  private Interleavings() {}

  /** Explores; throws what a scenario threw, with the interleaving that led to it. */
  public static void explore(Runnable scenario) {
    Lincheck.runConcurrentTest(INVOCATIONS, scenario);
  }

  /** Runs each body in a thread of its own and waits for all; throws what one threw. */
  public static void together(Runnable... bodies) {
    Body[] threads = new Body[bodies.length];
    for (int i = 0; i < bodies.length; i++) {
      threads[i] = new Body(bodies[i]);
    }
    for (Body thread : threads) {
      thread.start();
    }
    for (Body thread : threads) {
      thread.end();
    }
  }

  /** A thread that keeps what its body throws. */
  private static final class Body implements Runnable {
    private final Runnable body;
    private final Thread thread;
    private Throwable thrown;

    Body(Runnable body) {
      this.body = body;
      this.thread = new Thread(this);
    }

    void start() {
      thread.start();
    }

    @Override
    public void run() {
      try {
        body.run();
      } catch (Throwable e) {
        thrown = e;
      }
    }

    void end() {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (thrown != null) {
        throw new AssertionError("a thread threw " + thrown, thrown);
      }
    }
  }

  /** Tasks from any thread, run in their order by the one that calls {@link #runAll}. */
  public static final class Tasks implements Executor {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    /** Runs what is there, and what that adds. */
    public void runAll() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }
}
