// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.BufferDestination;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session lets go of once a range has ended. */
class SessionRetentionTest {
  private final TestObject object = new TestObject(4 << 20, true, 9);

  /** Cancelled in a back-off; then the session is idle, for as long as it likes. */
  @Test
  void anIdleSessionForgetsTheBuffersOfRangesCancelledWhileTheyWaited() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead first = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    List<WeakReference<ByteBuffer>> buffers = new ArrayList<>();
    submitAndCancel(fixture, buffers);
    fixture.cancel(first);
    fixture.advance(Duration.ofHours(1));
    assertCollected(buffers);
    fixture.finish();
  }

  /** A range on trial, or 1,000 long ones, keep the queue from moving. */
  @Test
  void aQueueThatDoesNotMoveForgetsTheBuffersOfCancelledRanges() {
    SessionFixture fixture = SessionFixture.open(object);
    List<TestRead> blocking = fixture.reads(1_000, 10);
    List<WeakReference<ByteBuffer>> buffers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      submitAndCancel(fixture, buffers);
    }
    assertEquals(1_000, fixture.call().ranges().size());
    fixture.advance(Duration.ofSeconds(1));
    assertCollected(buffers);
    assertEquals(1_000, blocking.size());
    fixture.finish();
  }

  private static void submitAndCancel(
      SessionFixture fixture, List<WeakReference<ByteBuffer>> buffers) {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    buffers.add(new WeakReference<>(buffer));
    TestRead read = fixture.submit(ByteRange.of(0, 1 << 20), new BufferDestination(buffer));
    fixture.cancel(read);
    fixture.settle();
    assertTrue(read.isEnded());
    read.assertOnce();
  }

  private static void assertCollected(List<WeakReference<ByteBuffer>> buffers) {
    long left = buffers.size();
    for (int i = 0; i < 20 && left > 0; i++) {
      System.gc();
      left = buffers.stream().filter(ref -> ref.get() != null).count();
    }
    assertEquals(
        0, left, "buffers of 1 MiB of ranges that ended are still held, of " + buffers.size());
  }

  /** While slow sinks hold all of the client's memory, others come and are cancelled. */
  @Test
  void rangesCancelledWhileTheyWaitForCreditLeaveNothingInTheClientsPool() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.credit.take(fixture.credit.freeBytes());
    for (int i = 0; i < 1_000; i++) {
      TestRead read = fixture.sink(ByteRange.of(0, 100), chunk -> {});
      fixture.cancel(read);
      fixture.settle();
      read.assertOnce();
    }
    assertTrue(fixture.credit.waiting() <= 101, fixture.credit::toString);
    fixture.close();
  }
}
