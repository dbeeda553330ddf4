// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.internal.stream.ManualExecutor;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ExecutorSinkDestinationTest implements Destination.Listener {
  private static final int MIB = 1 << 20;
  private static final long POOL_BYTES = 64L * MIB;

  private final ManualExecutor blocking = new ManualExecutor();
  private final ManualExecutor loop = new ManualExecutor();
  private final List<MessageMemory> memories = new ArrayList<>();
  private final List<Long> offsets = new ArrayList<>();
  private RuntimeException toThrow;
  private int consumed;
  private int gone;
  private int held;
  private long pinned;
  private final HoldLimit limit = new HoldLimit(4L * MIB, () -> pinned);
  private Throwable failure;
  private final CreditPool credit = new CreditPool(POOL_BYTES);
  private final ExecutorSinkDestination destination =
      new ExecutorSinkDestination(
          this::accept, new QueueSettings(blocking, loop, credit, QueueSettings.UNLIMITED));

  ExecutorSinkDestinationTest() {
    destination.attach(this);
  }

  private void accept(Chunk chunk) {
    offsets.add(chunk.offset());
    if (toThrow != null) {
      throw toThrow;
    }
  }

  @Override
  public void onConsumed() {
    consumed++;
  }

  @Override
  public void onFailure(Throwable thrown) {
    failure = thrown;
  }

  @Override
  public void onLoopGone() {
    gone++;
  }

  @Override
  public void onHeld(int messages) {
    held += messages;
  }

  /** As the stream does: the message's own reference goes after the delivery. */
  private void deliver(long offset, int length) {
    pinned += length;
    MessageMemory memory = new MessageMemory(length, () -> pinned -= length, limit);
    memories.add(memory);
    try {
      destination.deliver(offset, offset, Content.wrap(new byte[length]), 0, length, memory);
    } finally {
      memory.release();
    }
  }

  private void assertNothingHeld() {
    assertEquals(0, held);
    assertEquals(POOL_BYTES, credit.freeBytes() + destination.creditBytes());
    memories.forEach(memory -> assertEquals(0, memory.references()));
    assertTrue(destination.isIdle());
  }

  @Test
  void chunksComeInOrderAndOneBatchAtATime() {
    deliver(0, 10);
    deliver(10, 10);
    assertEquals(1, blocking.size());
    deliver(20, 10);
    blocking.runOne();
    assertEquals(List.of(0L), offsets);
    assertEquals(0, blocking.size(), "the next batch starts from the loop");
    loop.runAll();
    blocking.runAll();
    loop.runAll();
    assertEquals(List.of(0L, 10L, 20L), offsets);
    assertEquals(2, consumed);
    assertNothingHeld();
    assertEquals(Optional.empty(), destination.finish(30));
  }

  @Test
  void whatWaitsCountsAgainstTheCreditUntilTheSinkHasSeenIt() {
    assertTrue(destination.takeCredit());
    deliver(0, 2 * MIB);
    assertEquals(6L * MIB, destination.creditBytes());
    assertTrue(destination.takeCredit());
    deliver(2 * MIB, 2 * MIB);
    assertTrue(destination.takeCredit());
    deliver(4 * MIB, 1);
    assertFalse(destination.takeCredit(), "less than half is not worth a request");
    assertFalse(destination.isIdle());
    assertEquals(2, held, "the small one is a copy");
    blocking.runOne();
    assertEquals(0, destination.creditBytes(), "what can't be used is the others'");
    assertEquals(POOL_BYTES - 4L * MIB - 1, credit.freeBytes());
    loop.runAll();
    blocking.runAll();
    loop.runAll();
    assertNothingHeld();
  }

  @Test
  void whatMayNotBePinnedWaitsAsACopyAndIsNoMessageHeld() {
    pinned = 3L * MIB;
    deliver(0, MIB);
    assertEquals(1, held);
    deliver(MIB, MIB);
    assertEquals(1, held, "a copy");
    assertEquals(0, memories.get(1).references());
    pinned -= 2L * MIB;
    deliver(2L * MIB, MIB);
    assertEquals(2, held, "there is room again");
    for (int i = 0; i < 2; i++) {
      blocking.runAll();
      loop.runAll();
    }
    assertEquals(List.of(0L, (long) MIB, 2L * MIB), offsets);
    assertNothingHeld();
    assertEquals(MIB, pinned, "what others pin");
  }

  @Test
  void aFailureIsToldOnceAndWhatWaitsIsDropped() {
    toThrow = new IllegalStateException("no");
    deliver(0, MIB);
    blocking.runOne();
    deliver(MIB, MIB);
    loop.runAll();
    assertSame(toThrow, failure);
    destination.abandon();
    blocking.runAll();
    loop.runAll();
    assertEquals(List.of(0L), offsets);
    assertNothingHeld();
  }

  @Test
  void anAbandonedSinkIsNotCalledAgain() {
    deliver(0, MIB);
    deliver(MIB, MIB);
    destination.abandon();
    assertFalse(destination.isIdle(), "the first batch is on its way");
    blocking.runAll();
    loop.runAll();
    assertEquals(List.of(), offsets);
    assertEquals(1, consumed);
    assertNothingHeld();
  }

  @Test
  void aFailureAfterItWasAbandonedIsNobodysBusiness() {
    toThrow = new IllegalStateException("no");
    deliver(0, MIB);
    blocking.runOne();
    destination.abandon();
    loop.runAll();
    assertEquals(null, failure);
    assertEquals(1, consumed);
    assertNothingHeld();
  }

  @Test
  void anExecutorThatRefusesHoldsNothing() {
    blocking.shutDown();
    assertThrows(RejectedExecutionException.class, () -> deliver(0, MIB));
    assertNothingHeld();
  }

  @Test
  void anExecutorThatRefusesTheNextBatchFailsTheRange() {
    deliver(0, MIB);
    deliver(MIB, MIB);
    blocking.runOne();
    blocking.shutDown();
    loop.runAll();
    assertTrue(failure instanceof RejectedExecutionException);
    assertNothingHeld();
  }

  @Test
  void aLoopThatIsGoneIsTold() {
    deliver(0, MIB);
    loop.shutDown();
    blocking.runAll();
    assertEquals(1, gone);
    memories.forEach(memory -> assertEquals(0, memory.references()));
  }
}
