// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CompletionsTest {
  private final FakeLoop loop = new FakeLoop();
  private final ManualExecutor manual = new ManualExecutor();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> done = new ArrayList<>();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private static void add(FakeLoop loop, Completions completions, Runnable... tasks) {
    loop.run(
        () -> {
          for (Runnable task : tasks) {
            completions.add(task);
          }
        });
    loop.runTasks();
  }

  /** Adds one that blocks for the one behind it, and waits until it does; returns its end. */
  private CompletableFuture<Void> oneThatWaitsForTheNext(Completions completions) throws Exception {
    CompletableFuture<Void> first = new CompletableFuture<>();
    CompletableFuture<Void> second = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    add(
        loop,
        completions,
        () -> {
          begun.complete(null);
          second.join();
          first.complete(null);
        },
        () -> second.complete(null));
    await(begun);
    return first;
  }

  /** Adds as many at once, and waits until each has run. */
  private void awaitAll(Completions completions, int count) throws Exception {
    AtomicInteger left = new AtomicInteger(count);
    CompletableFuture<Void> all = new CompletableFuture<>();
    Runnable one =
        () -> {
          if (left.decrementAndGet() == 0) {
            all.complete(null);
          }
        };
    add(loop, completions, Collections.nCopies(count, one).toArray(new Runnable[0]));
    await(all);
  }

  private static void await(CompletableFuture<?> future) throws Exception {
    future.get(20, TimeUnit.SECONDS);
  }

  @Test
  void thoseOfOneTurnShareAHop() {
    Completions completions = new Completions(loop, manual);
    add(loop, completions, () -> done.add("a"), () -> done.add("b"), () -> done.add("c"));
    assertEquals(1, manual.size());
    manual.runAll();
    assertEquals(List.of("a", "b", "c"), done);
    loop.assertNoMoreTasks();
  }

  @Test
  void oneThatThrowsSparesTheOthers() {
    Completions completions = new Completions(loop, manual);
    add(
        loop,
        completions,
        () -> {
          throw new IllegalStateException("by the test");
        },
        () -> done.add("b"));
    manual.runAll();
    assertEquals(List.of("b"), done);
  }

  @Test
  void oneThatWaitsForTheNextIsRescuedByTheLoop() throws Exception {
    Completions completions = new Completions(loop, threads);
    CompletableFuture<Void> first = oneThatWaitsForTheNext(completions);
    loop.advance(Duration.ofMillis(10));
    loop.advance(Duration.ofMillis(10));
    await(first);
    loop.assertNoMoreTasks();
  }

  @Test
  void oneThatWaitsForTheNextNeedsNoLoopOnceTheSessionEnds() throws Exception {
    Completions completions = new Completions(loop, threads);
    CompletableFuture<Void> last = new CompletableFuture<>();
    CompletableFuture<Void> first = new CompletableFuture<>();
    loop.run(completions::loopMayGo);
    add(
        loop,
        completions,
        () -> {
          last.join();
          first.complete(null);
        },
        last::join,
        last::join,
        () -> last.complete(null));
    loop.shutDown();
    await(first);
  }

  @Test
  void aBatchThatBlocksWhenTheSessionEndsIsLookedAfterToo() throws Exception {
    Completions completions = new Completions(loop, threads);
    CompletableFuture<Void> first = oneThatWaitsForTheNext(completions);
    loop.run(completions::loopMayGo);
    loop.shutDown();
    await(first);
  }

  @Test
  void manyOutcomesOfAnEndTakeFewThreads() throws Exception {
    ThreadPoolExecutor pool = (ThreadPoolExecutor) threads;
    Completions completions = new Completions(loop, pool);
    loop.run(completions::loopMayGo);
    awaitAll(completions, 20_000);
    assertTrue(pool.getLargestPoolSize() < 200, "threads: " + pool.getLargestPoolSize());
  }

  @Test
  void anExecutorThatRefusesIsReplacedByAThread() throws Exception {
    Completions completions =
        new Completions(
            loop,
            task -> {
              throw new RejectedExecutionException("by the test");
            });
    CompletableFuture<Thread> on = new CompletableFuture<>();
    add(loop, completions, () -> on.complete(Thread.currentThread()));
    Thread thread = on.get(20, TimeUnit.SECONDS);
    assertTrue(thread.isDaemon());
    loop.assertNoMoreTasks();
  }

  @Test
  void whatALoopThatIsGoneCanNotPassOnIsHandedOverAtOnce() {
    Completions completions = new Completions(loop, manual);
    loop.shutDown();
    loop.run(
        () -> {
          completions.add(() -> done.add("a"));
          completions.add(() -> done.add("b"));
        });
    manual.runAll();
    assertEquals(List.of("a", "b"), done);
    assertSame(0, manual.size());
  }

  @Test
  void anExecutorThatRunsOnItsCallerGoesNoDeeperAndLosesNothing() throws Exception {
    Completions completions = new Completions(loop, Runnable::run);
    loop.run(completions::loopMayGo);
    awaitAll(completions, 100_000);
  }

  /** As a pool does whose threads help out while they wait. */
  @Test
  void aHandOverThatComesBackLaterInsideACallbackIsMadeUpFor() throws Exception {
    List<Runnable> queue = new ArrayList<>();
    Completions completions = new Completions(loop, queue::add);
    CompletableFuture<Void> second = new CompletableFuture<>();
    CompletableFuture<Void> first = new CompletableFuture<>();
    loop.run(completions::loopMayGo);
    add(
        loop,
        completions,
        () -> {
          queue.get(1).run();
          second.join();
          first.complete(null);
        },
        () -> second.complete(null));
    threads.execute(queue.get(0));
    await(first);
  }
}
