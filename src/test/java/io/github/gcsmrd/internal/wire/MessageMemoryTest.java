// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MessageMemoryTest {
  private final AtomicInteger freed = new AtomicInteger();
  private final MessageMemory memory = new MessageMemory(5, freed::incrementAndGet);

  @Test
  void theLastReleaseFrees() {
    memory.retain();
    memory.release();
    assertEquals(0, freed.get());
    assertEquals(1, memory.references());
    memory.release();
    assertEquals(1, freed.get());
    assertEquals(0, memory.references());
  }

  @Test
  void aReleaseTooManyFreesNothing() {
    memory.release();
    assertThrows(IllegalStateException.class, memory::release);
    assertEquals(1, freed.get());
    assertEquals(0, memory.references());
  }

  @Test
  void freedMemoryCannotBeRetained() {
    memory.release();
    assertThrows(IllegalStateException.class, memory::retain);
  }

  @Test
  @Timeout(60)
  void threadsThatRetainAndReleaseFreeItOnce() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      Callable<Integer> user =
          () -> {
            for (int i = 0; i < 20_000; i++) {
              memory.retain();
              memory.release();
            }
            return freed.get();
          };
      for (Future<Integer> result : executor.invokeAll(List.of(user, user))) {
        assertEquals(0, result.get());
      }
    } finally {
      executor.shutdownNow();
    }
    memory.release();
    assertEquals(1, freed.get());
  }
}
