// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ranges that wait; {@link ReadTableTest} is about the table of those asked for. */
class PendingReadsTest {
  private final PendingReads pending = new PendingReads();
  private long sequence;

  private RangeRead read() {
    RangeRead read = new TestRead(ByteRange.of(0, 10), new GrowingDestination(10), true).read();
    read.submitted(sequence++);
    return read;
  }

  private RangeRead queued() {
    RangeRead read = read();
    pending.enqueue(read);
    return read;
  }

  /** Asks for one more range; null if none may be asked for. */
  private RangeRead ask() {
    List<RangeRead> batch = new ArrayList<>();
    pending.ask(batch, pending.askedCount() + 1, 0);
    return batch.isEmpty() ? null : batch.get(0);
  }

  private void end(RangeRead read) {
    pending.forget(read);
    read.end();
  }

  /** As at the end of a stream: takes out what was asked for, back to its delivered bytes. */
  private List<RangeRead> takeBack() {
    List<RangeRead> taken = List.of(pending.takeAsked());
    taken.forEach(read -> read.rewind(io.github.gcsmrd.internal.read.WholeObject.UNKNOWN));
    return taken;
  }

  @Test
  void rangesAreAskedForInTheirOrder() {
    RangeRead first = queued();
    RangeRead second = queued();
    assertSame(first, ask());
    assertSame(second, ask());
    assertNull(ask());
    assertSame(first, pending.lookup(1));
    assertNull(pending.lookup(3));
    assertFalse(pending.hasWaiting());
    assertFalse(pending.isEmpty());
    pending.settled(first);
    pending.settled(first);
    assertNull(pending.lookup(1));
    end(second);
    assertTrue(pending.isEmpty());
  }

  @Test
  void aRangeThatEndsWhileItWaitsIsSkipped() {
    RangeRead first = queued();
    RangeRead second = queued();
    end(first);
    assertTrue(pending.hasWaiting());
    assertSame(second, ask());
    assertFalse(pending.hasWaiting());
  }

  @Test
  void aRangeThatWasNeverQueuedIsNotCounted() {
    end(read());
    assertTrue(pending.isEmpty());
    RangeRead next = queued();
    assertTrue(pending.hasWaiting());
    assertSame(next, ask());
  }

  @Test
  void rangesOfAnEndedStreamGoBeforeOthers() {
    RangeRead first = queued();
    RangeRead second = queued();
    ask();
    ask();
    RangeRead third = queued();
    List<RangeRead> taken = takeBack();
    assertEquals(List.of(first, second), taken);
    pending.requeueFirst(taken);
    assertSame(first, ask());
    assertSame(second, ask());
    assertSame(third, ask());
  }

  @Test
  void suspectsAreTriedAloneBeforeAnythingElse() {
    RangeRead first = queued();
    RangeRead second = queued();
    ask();
    ask();
    RangeRead third = queued();
    pending.suspect(takeBack());
    assertSame(first, ask());
    assertNull(ask(), "nobody joins a trial");
    pending.settled(first);
    first.end();
    assertSame(second, ask());
    assertNull(ask());
    // The stream breaks for another reason: the trial goes on.
    pending.requeueFirst(takeBack());
    assertSame(second, ask());
    assertNull(ask());
    end(second);
    assertSame(third, ask());
    assertNull(ask());
    assertEquals(1, pending.askedCount());
  }

  @Test
  void aBatchHoldsAHundredAndTheOutstandingAreBounded() {
    for (int i = 0; i < 250; i++) {
      queued();
    }
    List<RangeRead> batch = new ArrayList<>();
    pending.ask(batch, 1_000, 0);
    assertEquals(100, batch.size());
    pending.ask(batch, 130, 0);
    assertEquals(30, batch.size());
    pending.ask(batch, 130, 0);
    assertEquals(0, batch.size());
    assertEquals(130, pending.askedCount());
  }

  @Test
  void everythingIsForgotten() {
    for (int i = 0; i < 6; i++) {
      queued();
    }
    ask();
    ask();
    pending.suspect(takeBack());
    ask();
    pending.clear();
    assertTrue(pending.isEmpty());
    assertFalse(pending.hasWaiting());
    assertNull(ask());
    RangeRead next = queued();
    assertSame(next, ask());
  }
}
