// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static io.github.gcsmrd.interleavings.Interleavings.explore;
import static io.github.gcsmrd.interleavings.Interleavings.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.interleavings.Interleavings.Tasks;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch of completions between the loop that hands it over and threads that work on it. */
@Tag("interleavings")
class CompletionBatchInterleavingsTest {

  /** A and B both see that the first is next, and both run it. */
  @Test
  void eachCompletionIsTakenOnce() {
    explore(
        () -> {
          AtomicInteger first = new AtomicInteger();
          AtomicInteger second = new AtomicInteger();
          CompletionBatch batch =
              new CompletionBatch(
                  List.of(first::incrementAndGet, second::incrementAndGet), Runnable::run);
          together(batch, batch);
          assertEquals(1, first.get());
          assertEquals(1, second.get());
          assertTrue(batch.isTaken());
        });
  }

  /** Gives each task a thread, as the callback executor does; all are waited for. */
  private static final class Threads implements Executor {
    private final Tasks started = new Tasks();

    @Override
    public void execute(Runnable task) {
      Thread thread = new Thread(task);
      started.execute(() -> join(thread));
      thread.start();
    }

    void joinAll() {
      started.runAll();
    }

    private static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /**
   * The first completion waits for the second, which lies behind it in the batch, and the loop ends
   * as the only thread has taken the first. The thread looked for a stand-by before the loop asked
   * for one, and the loop looked before the thread had begun: neither asks, and both completions
   * hang. Either of them must see the other.
   */
  @Test
  void aBlockedCompletionIsOvertakenAlthoughTheLoopGoes() {
    explore(
        () -> {
          CountDownLatch secondRan = new CountDownLatch(1);
          Threads threads = new Threads();
          CompletionBatch batch =
              new CompletionBatch(List.of(() -> await(secondRan), secondRan::countDown), threads);
          together(
              () -> {
                batch.hand();
                batch.relay();
              });
          threads.joinAll();
          assertEquals(0, secondRan.getCount());
        });
  }

  /** The same with a second thread that the loop had asked for, and that begins late. */
  @Test
  void theThreadThatBeginsLastStandsByForTheOthers() {
    explore(
        () -> {
          CountDownLatch lastRan = new CountDownLatch(1);
          Threads threads = new Threads();
          Runnable waits = () -> await(lastRan);
          CompletionBatch batch =
              new CompletionBatch(List.of(waits, waits, lastRan::countDown), threads);
          together(
              () -> {
                batch.hand();
                batch.relay();
                batch.hand();
              });
          threads.joinAll();
          assertEquals(0, lastRan.getCount());
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
