// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HoldLimitTest {
  private static final int LIMIT = 16_000;

  private final AtomicLong pinned = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final HoldLimit limit = new HoldLimit(LIMIT, this::look);

  private long look() {
    looks.incrementAndGet();
    return pinned.get();
  }

  /** Comes with more than its own length, as received messages do. */
  private MessageMemory receive(int bytes, int pinnedBytes) {
    pinned.addAndGet(pinnedBytes);
    return new MessageMemory(bytes, () -> pinned.addAndGet(-pinnedBytes), limit);
  }

  @Test
  void aMessageMayBeHeldUntilMoreThanTheLimitIsPinned() {
    MessageMemory first = receive(LIMIT, LIMIT);
    assertTrue(first.mayBeHeld(), "exactly the limit");
    MessageMemory second = receive(1, 1);
    assertFalse(second.mayBeHeld());
    first.release();
    assertTrue(second.mayBeHeld(), "what was refused is asked for anew");
    second.release();
    assertEquals(0, pinned.get());
  }

  @Test
  void whatMayBeHeldStaysSoAndIsAskedForOnce() {
    MessageMemory memory = receive(100, 100);
    assertTrue(memory.mayBeHeld());
    pinned.addAndGet(LIMIT);
    long before = looks.get();
    assertTrue(memory.mayBeHeld());
    assertEquals(before, looks.get());
  }

  @Test
  void aMessageThatNobodyHoldsAsksForNothing() {
    MessageMemory memory = receive(100, 100);
    memory.retain();
    memory.release();
    memory.release();
    assertEquals(0, looks.get());
  }

  @Test
  void memoryThatNothingLimitsMayBeHeld() {
    assertTrue(new MessageMemory(5, () -> {}).mayBeHeld());
    assertTrue(MessageMemory.ofCopy(5).mayBeHeld());
  }

  @Test
  void aLimitOfZeroHoldsNothing() {
    HoldLimit none = new HoldLimit(0, () -> 1);
    assertFalse(none.allows(1));
    assertFalse(none.allows(1));
  }

  @Test
  void theLargestLimitHoldsEverything() {
    HoldLimit any = new HoldLimit(Long.MAX_VALUE, () -> Long.MAX_VALUE / 2);
    for (int i = 0; i < 100; i++) {
      assertTrue(any.allows(Integer.MAX_VALUE));
    }
  }

  @Test
  void aLookAllowsAShareOfTheRoom() {
    for (int i = 0; i <= LIMIT / HoldLimit.MOST_PINNED_PER_BYTE / 10; i++) {
      assertTrue(limit.allows(10));
    }
    assertEquals(1, looks.get());
    assertTrue(limit.allows(10));
    assertEquals(2, looks.get());
  }

  @Test
  void aLookThatFindsNoRoomTakesBackWhatAnEarlierOneAllowed() {
    assertTrue(limit.allows(1));
    pinned.set(LIMIT + 1);
    assertFalse(limit.allows(LIMIT), "more than is left");
    assertFalse(limit.allows(1));
  }

  /** However much a message pins, up to what the share allows for. */
  @Test
  void heldMessagesNeverPinMoreThanTheLimit() {
    for (long seed = 0; seed < 200; seed++) {
      pinned.set(0);
      Random random = new Random(seed);
      ArrayDeque<MessageMemory> held = new ArrayDeque<>();
      for (int i = 0; i < 500; i++) {
        int bytes = 1 + random.nextInt(200);
        int pins = bytes * (1 + random.nextInt(HoldLimit.MOST_PINNED_PER_BYTE));
        MessageMemory memory = receive(bytes, pins);
        if (memory.mayBeHeld()) {
          held.add(memory);
        } else {
          memory.release();
        }
        assertTrue(pinned.get() <= LIMIT, "seed " + seed + ": " + pinned + " are held");
        if (random.nextInt(3) == 0 && !held.isEmpty()) {
          held.remove().release();
        }
      }
      held.forEach(MessageMemory::release);
      assertEquals(0, pinned.get());
    }
  }

  /** One that looks while another one grants may add to the grant. */
  @Test
  void threadsTogetherHoldNoMoreThanTheLimitAndGiveAllBack() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      CountDownLatch start = new CountDownLatch(1);
      AtomicLong heldBytes = new AtomicLong();
      AtomicLong peak = new AtomicLong();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int seed = i;
        tasks.add(
            () -> {
              start.await();
              holdAndRelease(new Random(seed), heldBytes, peak);
              return null;
            });
      }
      List<Future<Void>> ends = new ArrayList<>();
      tasks.forEach(task -> ends.add(threads.submit(task)));
      start.countDown();
      for (Future<Void> end : ends) {
        end.get(30, TimeUnit.SECONDS);
      }
      long bound = LIMIT + LIMIT / HoldLimit.MOST_PINNED_PER_BYTE;
      assertTrue(peak.get() <= bound, "held: " + peak);
      assertTrue(peak.get() > LIMIT / 2, "held: " + peak);
      assertEquals(0, heldBytes.get());
      assertEquals(0, pinned.get());
    } finally {
      threads.shutdownNow();
    }
  }

  private void holdAndRelease(Random random, AtomicLong heldBytes, AtomicLong peak) {
    ArrayDeque<MessageMemory> held = new ArrayDeque<>();
    for (int i = 0; i < 20_000; i++) {
      int bytes = 1 + random.nextInt(400);
      MessageMemory memory = receive(bytes, bytes);
      if (memory.mayBeHeld()) {
        peak.accumulateAndGet(heldBytes.addAndGet(bytes), Math::max);
        held.add(memory);
      } else {
        memory.release();
      }
      while (held.size() > random.nextInt(40)) {
        heldBytes.addAndGet(-held.peek().sizeBytes());
        held.remove().release();
      }
    }
    for (MessageMemory memory : held) {
      heldBytes.addAndGet(-memory.sizeBytes());
      memory.release();
    }
  }
}
