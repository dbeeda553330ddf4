// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.function.Consumer;

/**
 * A loop whose tasks can't fail unnoticed. Thread-safe.
 *
 * <p>A loop merely logs what a task throws, and whoever waits for the rest of that task waits for
 * ever. Here the session hears of it, and ends.
 */
final class GuardedLoop implements Loop {
  private final Loop loop;
  private final Consumer<Throwable> onFault;

  /**
   * Guards the tasks of one session.
   *
   * @param loop runs them
   * @param onFault told on the loop
   */
  GuardedLoop(Loop loop, Consumer<Throwable> onFault) {
    this.loop = loop;
    this.onFault = onFault;
  }

  @Override
  public boolean inLoop() {
    return loop.inLoop();
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(() -> run(task));
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    return loop.schedule(() -> run(task), delayNanos);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable fault) {
      onFault.accept(fault);
    }
  }

  @Override
  public long now() {
    return loop.now();
  }

  @Override
  public String toString() {
    return "GuardedLoop[" + loop + "]";
  }
}
