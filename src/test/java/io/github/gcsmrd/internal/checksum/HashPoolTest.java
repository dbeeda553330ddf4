// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HashPoolTest {
  private final Content content = Content.wrap(new byte[100]);
  private final MessageMemory memory = new MessageMemory(100, () -> {});

  private static Set<Thread> workers() {
    Set<Thread> workers = ConcurrentHashMap.newKeySet();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("gcs-mrd-crc32c-")) {
        workers.add(thread);
      }
    }
    return workers;
  }

  @Test
  void noThreadExistsBeforeTheFirstChunk() {
    Set<Thread> before = workers();
    HashPool pool = new HashPool();
    Set<Thread> after = workers();
    after.removeAll(before);
    assertEquals(Set.of(), after);
    pool.close();
  }

  @Test
  void tenChunksAreHashedByTwoDaemonThreads() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch both = new CountDownLatch(2);
    CountDownLatch all = new CountDownLatch(10);
    ToIntFunction<Content> hash =
        hashed -> {
          threads.add(Thread.currentThread());
          both.countDown();
          awaitQuietly(both);
          return 7;
        };
    HashPool pool = new HashPool(hash);
    for (int i = 0; i < 10; i++) {
      assertNotNull(pool.trySubmit(content, memory, task -> all.countDown()));
    }
    assertTrue(all.await(30, TimeUnit.SECONDS));
    assertEquals(2, threads.size(), () -> "threads " + threads);
    Set<String> names = new TreeSet<>();
    for (Thread thread : threads) {
      assertTrue(thread.isDaemon());
      names.add(thread.getName());
    }
    assertEquals(Set.of("gcs-mrd-crc32c-1", "gcs-mrd-crc32c-2"), names);
    assertEquals(1, memory.references());
    pool.close();
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(30));
      assertTrue(!thread.isAlive(), "a worker outlives its pool");
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aClosedPoolRefusesAndGivesTheReferenceBack() {
    HashPool pool = new HashPool();
    pool.close();
    assertNull(pool.trySubmit(content, memory, task -> {}));
    assertEquals(1, memory.references());
  }

  @Test
  void chunksTakenBeforeTheCloseAreHashed() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(5);
    ToIntFunction<Content> hash =
        hashed -> {
          awaitQuietly(release);
          return 0;
        };
    HashPool pool = new HashPool(hash);
    for (int i = 0; i < 5; i++) {
      assertNotNull(pool.trySubmit(content, memory, task -> all.countDown()));
    }
    pool.close();
    assertNull(pool.trySubmit(content, memory, task -> {}));
    release.countDown();
    assertTrue(all.await(30, TimeUnit.SECONDS));
    assertEquals(1, memory.references());
  }

  @Test
  void outOfThreadsIsARefusal() {
    Executor exhausted =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    HashPool pool = new HashPool(exhausted);
    assertNull(pool.trySubmit(content, memory, task -> {}));
    assertEquals(1, memory.references());
  }
}
