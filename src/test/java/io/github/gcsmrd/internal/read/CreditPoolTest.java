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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  void aShareIsHalfOfWhatIsFreeAboveTheReserve() {
    assertEquals(9L * MIB / 2, pool.share(8L * MIB));
    assertEquals(MIB, pool.share(MIB), "and no more than wanted");
    assertTrue(pool.tryTake(9L * MIB));
    assertEquals(
        CreditPool.LEAST_SHARE_BYTES, pool.share(8L * MIB), "the reserve is for small ones");
    assertEquals(10, pool.share(10));
  }

  @Test
  void tellsOneAfterTheOtherAsLongAsThereIsEnough() {
    List<String> told = new ArrayList<>();
    assertTrue(pool.tryTake(12L * MIB));
    pool.onReturn(8L * MIB, () -> told.add("large"));
    pool.onReturn(10, () -> told.add("small"));
    pool.give(0);
    pool.give(CreditPool.LEAST_SHARE_BYTES - 1);
    assertEquals(List.of(), told, "not enough for the first");
    pool.give(1);
    assertEquals(List.of("large"), told);
    pool.tellNext();
    assertEquals(List.of("large", "small"), told);
    pool.tellNext();
    assertEquals(2, told.size());
  }

  @Test
  void whoeverCanNotBeToldAnyMoreIsPassedOver() {
    List<String> told = new ArrayList<>();
    assertTrue(pool.tryTake(12L * MIB));
    for (int i = 0; i < 100_000; i++) {
      pool.onReturn(10, () -> false);
    }
    pool.onReturn(10, () -> told.add("alive"));
    pool.give(10);
    assertEquals(List.of("alive"), told);
  }

  @Test
  void sinksThatStandStillLeaveSomethingForThoseThatComeLater() {
    List<Sink> sinks = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Sink sink = new Sink();
      assertTrue(sink.destination.takeCredit(), "sink " + i);
      sinks.add(sink);
    }
    assertEquals(9L * MIB / 2, sinks.get(0).destination.creditBytes());
    assertEquals(9L * MIB / 4, sinks.get(1).destination.creditBytes());
    assertEquals(CreditPool.LEAST_SHARE_BYTES, sinks.get(49).destination.creditBytes());
    sinks.forEach(sink -> sink.destination.abandon());
    assertEquals(12L * MIB, pool.freeBytes());
  }

  @Test
  void aSinkWaitsForTheCreditOfOthersAndIsToldOfIt() {
    pool.take(12L * MIB);
    Sink first = new Sink();
    Sink second = new Sink();
    assertFalse(first.destination.takeCredit());
    assertFalse(second.destination.takeCredit());
    assertFalse(first.destination.takeCredit(), "once more, but it waits already");
    assertEquals(0, first.destination.creditBytes());
    assertTrue(first.starved && second.starved);
    pool.give(CreditPool.LEAST_SHARE_BYTES);
    loop.runOne();
    assertEquals(1, first.consumed, "told that bytes came back");
    assertTrue(first.destination.takeCredit());
    assertFalse(first.starved);
    loop.runAll();
    assertFalse(second.destination.takeCredit(), "the first has it");
    first.destination.abandon();
    loop.runAll();
    assertTrue(second.consumed > 0);
    assertTrue(second.destination.takeCredit());
    assertFalse(second.starved);
    assertEquals(Optional.empty(), second.destination.finish(8L * MIB));
    assertEquals(CreditPool.LEAST_SHARE_BYTES, pool.freeBytes());
  }

  @Test
  void aThousandThatWaitAreNotAllToldOfEachReturn() {
    pool.take(12L * MIB);
    List<Sink> sinks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Sink sink = new Sink();
      sink.takesWhenTold = true;
      assertFalse(sink.destination.takeCredit());
      sinks.add(sink);
    }
    int told = 0;
    for (int i = 0; i < 100; i++) {
      pool.give(CreditPool.LEAST_SHARE_BYTES);
      loop.runAll();
      told = sinks.stream().mapToInt(sink -> sink.consumed).sum();
      assertEquals(i + 1L, sinks.stream().filter(s -> !s.starved).count());
    }
    assertEquals(100, told);
  }

  @Test
  void aSinkThatEndsWhileItWaitsTellsTheNext() {
    pool.take(12L * MIB);
    Sink first = new Sink();
    Sink second = new Sink();
    assertFalse(first.destination.takeCredit());
    assertFalse(second.destination.takeCredit());
    first.destination.abandon();
    assertFalse(first.starved);
    pool.give(MIB);
    loop.runAll();
    assertTrue(second.destination.takeCredit());
  }

  @Test
  void aSmallRangeTakesNoMoreThanItCanHave() {
    QueuedDestination small =
        new ExecutorSinkDestination(chunk -> {}, new QueueSettings(blocking, loop, pool, 4_096));
    assertTrue(small.takeCredit());
    assertEquals(4_096, small.creditBytes());
    assertEquals(12L * MIB - 4_096, pool.freeBytes());
  }

  @Test
  void bytesThatCameUnaskedAreCountedToo() {
    Sink sink = new Sink();
    sink.deliver(10 * MIB);
    assertEquals(2L * MIB, pool.freeBytes());
    assertFalse(sink.destination.takeCredit());
    assertFalse(sink.starved, "it waits for its own user code");
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
    private boolean starved;
    private boolean takesWhenTold;

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
      if (takesWhenTold) {
        destination.takeCredit();
      }
    }

    @Override
    public void onStarved(boolean waits) {
      starved = waits;
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

  @Test
  void aLargeOneThatGivesUpMakesWayForASmallOne() {
    pool.take(12L * MIB - 40_000);
    List<String> told = new ArrayList<>();
    CreditPool.Waiter large = pool.onReturn(8L * MIB, () -> told.add("large"));
    pool.onReturn(10_000, () -> told.add("small"));
    large.cancel();
    assertEquals(List.of("small"), told);
  }
}
