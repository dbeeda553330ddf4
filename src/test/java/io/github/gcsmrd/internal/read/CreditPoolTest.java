// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.RangeSink;
import io.github.gcsmrd.internal.stream.ManualExecutor;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CreditPoolTest {
  private static final int MIB = 1 << 20;

  private final ManualExecutor blocking = new ManualExecutor();
  private final ManualExecutor loop = new ManualExecutor();
  private final CreditPool pool = new CreditPool(12L * MIB);

  @Test
  void givesAllThatIsAskedForOrNothing() {
    assertTrue(pool.tryTake(8L * MIB));
    assertFalse(pool.tryTake(8L * MIB));
    assertEquals(4L * MIB, pool.freeBytes());
    pool.take(5L * MIB);
    assertEquals(-MIB, pool.freeBytes(), "what came unasked is owed");
    assertFalse(pool.tryTake(1));
  }

  @Test
  void tellsEachWhoWaitsOnceWhenBytesComeBack() {
    AtomicInteger told = new AtomicInteger();
    pool.onReturn(told::incrementAndGet);
    pool.onReturn(told::incrementAndGet);
    pool.give(0);
    assertEquals(0, told.get(), "nothing came back");
    pool.give(1);
    pool.give(1);
    assertEquals(2, told.get());
  }

  @Test
  void aSinkWaitsForTheCreditOfAnotherAndIsToldOfIt() {
    Sink first = new Sink();
    Sink second = new Sink();
    assertTrue(first.destination.hasCredit());
    assertEquals(8L * MIB, first.destination.creditBytes());
    assertFalse(second.destination.hasCredit());
    assertEquals(0, second.destination.creditBytes(), "no part is kept while it waits");
    assertEquals(4L * MIB, pool.freeBytes());
    first.deliver(6 * MIB);
    first.deliver(2 * MIB);
    blocking.runAll();
    loop.runAll();
    assertTrue(second.consumed > 0, "told that bytes came back");
    assertTrue(second.destination.hasCredit());
    assertFalse(first.destination.hasCredit(), "the second has it");
    second.destination.abandon();
    loop.runAll();
    blocking.runAll();
    loop.runAll();
    assertTrue(first.destination.hasCredit());
    assertEquals(java.util.Optional.empty(), first.destination.finish(8L * MIB));
    assertEquals(12L * MIB, pool.freeBytes());
  }

  @Test
  void aSmallRangeTakesNoMoreThanItCanHave() {
    QueuedDestination small =
        new ExecutorSinkDestination(chunk -> {}, new QueueSettings(blocking, loop, pool, 4_096));
    assertTrue(small.hasCredit());
    assertEquals(4_096, small.creditBytes());
    assertEquals(12L * MIB - 4_096, pool.freeBytes());
  }

  @Test
  void bytesThatCameWithoutALimitAreCountedToo() {
    Sink suffix = new Sink();
    suffix.deliver(10 * MIB);
    assertEquals(2L * MIB, pool.freeBytes());
    assertFalse(suffix.destination.hasCredit());
    blocking.runAll();
    loop.runAll();
    assertEquals(12L * MIB, pool.freeBytes());
  }

  /** A sink of unlimited length and what its session would hear. */
  private final class Sink implements Destination.Listener {
    private final RangeSink sink = chunk -> {};
    private final QueuedDestination destination =
        new ExecutorSinkDestination(
            sink, new QueueSettings(blocking, loop, pool, QueueSettings.UNLIMITED));
    private int consumed;

    Sink() {
      destination.attach(this);
    }

    void deliver(int length) {
      MessageMemory memory = new MessageMemory(length, () -> {});
      destination.deliver(0, 0, Content.wrap(new byte[length]), 0, length, memory);
      memory.release();
    }

    @Override
    public void onConsumed() {
      consumed++;
    }

    @Override
    public void onFailure(Throwable failure) {
      throw new AssertionError(failure);
    }

    @Override
    public void onLoopGone() {}

    @Override
    public void onHeld(int messages) {}
  }
}
