// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HashTaskTest {
  private final byte[] bytes = new byte[1000];
  private final Content content;
  private final AtomicInteger freed = new AtomicInteger();
  private final MessageMemory memory = new MessageMemory(1000, freed::incrementAndGet);
  private final List<HashTask> ended = new ArrayList<>();

  HashTaskTest() {
    new Random(3).nextBytes(bytes);
    content = Content.wrap(bytes);
  }

  private HashTask task(ToIntFunction<Content> hash) {
    return new HashTask(content, memory, hash, ended::add);
  }

  private static int hash(Content content) {
    return new ChunkHasher().hashShared(content);
  }

  private void assertFreedAfterTheOwner() {
    assertEquals(1, memory.references(), "the task's reference is dropped");
    memory.release();
    assertEquals(1, freed.get());
  }

  @Test
  void computesTheHashAndTellsOnce() {
    HashTask task = task(HashTaskTest::hash);
    assertEquals(2, memory.references());
    assertFalse(task.isEnded());
    task.run();
    CRC32C expected = new CRC32C();
    expected.update(bytes);
    assertEquals((int) expected.getValue(), task.crc32c());
    assertNull(task.failure());
    task.run();
    assertEquals(List.of(task), ended);
    assertFreedAfterTheOwner();
  }

  @Test
  void isEndedAndHoldsNothingWhenTheListenerIsTold() {
    List<String> seen = new ArrayList<>();
    HashTask task =
        new HashTask(
            content,
            memory,
            HashTaskTest::hash,
            told -> seen.add(told.isEnded() + " " + memory.references()));
    task.run();
    assertEquals(List.of("true 1"), seen);
  }

  @Test
  void aCancelBeforeTheRunReleasesOnceAndTellsNobody() {
    HashTask task = task(HashTaskTest::hash);
    task.cancel();
    task.cancel();
    task.run();
    assertFalse(task.isEnded());
    assertEquals(List.of(), ended);
    assertFreedAfterTheOwner();
  }

  @Test
  void aCancelAfterTheRunDoesNothing() {
    HashTask task = task(HashTaskTest::hash);
    task.run();
    task.cancel();
    assertTrue(task.isEnded());
    assertFreedAfterTheOwner();
  }

  @Test
  void memoryIsNotFreedUnderARunningHash() {
    HashTask[] task = new HashTask[1];
    task[0] =
        task(
            hashed -> {
              task[0].cancel();
              memory.release();
              assertEquals(0, freed.get(), "freed under the hash");
              return hash(hashed);
            });
    task[0].run();
    assertNull(task[0].failure());
    assertEquals(1, freed.get());
    assertTrue(task[0].isEnded());
  }

  @Test
  void aFailureIsKeptAndTheMemoryReleased() {
    Error thrown = new StackOverflowError();
    HashTask task =
        task(
            hashed -> {
              throw thrown;
            });
    task.run();
    assertSame(thrown, task.failure());
    assertEquals(List.of(task), ended);
    assertFreedAfterTheOwner();
  }

  @Test
  void aMemoryThatFailsToBeFreedIsToldAsAFailure() {
    RuntimeException thrown = new IllegalStateException("in free");
    MessageMemory broken =
        new MessageMemory(
            0,
            () -> {
              throw thrown;
            });
    HashTask task = new HashTask(content, broken, HashTaskTest::hash, ended::add);
    broken.release();
    task.run();
    assertSame(thrown, task.failure());
    assertEquals(List.of(task), ended);
  }

  @Test
  void aLoopThatIsGoneDoesNotDisturbTheWorker() {
    HashTask task =
        new HashTask(
            content,
            memory,
            HashTaskTest::hash,
            told -> {
              throw new RejectedExecutionException("gone");
            });
    task.run();
    assertTrue(task.isEnded());
    assertFreedAfterTheOwner();
  }

  @Test
  void runAndCancelThatRaceReleaseOnce() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      CyclicBarrier start = new CyclicBarrier(2);
      for (int i = 0; i < 5_000; i++) {
        AtomicInteger frees = new AtomicInteger();
        AtomicInteger tells = new AtomicInteger();
        MessageMemory raced = new MessageMemory(1000, frees::incrementAndGet);
        HashTask task =
            new HashTask(content, raced, HashTaskTest::hash, told -> tells.incrementAndGet());
        Future<?> run =
            other.submit(
                () -> {
                  start.await();
                  task.run();
                  return null;
                });
        start.await();
        task.cancel();
        raced.release();
        run.get(10, TimeUnit.SECONDS);
        assertEquals(1, frees.get(), "frees in round " + i);
        assertEquals(task.isEnded() ? 1 : 0, tells.get(), "told in round " + i);
      }
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void theTaskIsGivenToWhoeverSubmits() {
    ManualWorkers workers = new ManualWorkers();
    HashTask task = new HashPool(workers).trySubmit(content, memory, ended::add);
    assertNotNull(task);
    workers.run(0);
    assertEquals(List.of(task), ended);
  }
}
