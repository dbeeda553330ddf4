// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static io.github.gcsmrd.internal.stream.OffloadFixture.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.IncompleteRangeException;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.AllocatedDestination;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.LoopSinkDestination;
import io.github.gcsmrd.internal.read.ReadCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** Ranges that fail by themselves while chunks are held: by a limit of time, or by user code. */
class OffloadFailureTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration BEYOND = Duration.ofSeconds(6);

  private final TestObject object = new TestObject(6 * MIB, true, 21);
  private final OffloadFixture fixture = new OffloadFixture(object);

  private static TestRead into(ByteRange range) {
    return new TestRead(range, new GrowingDestination(16), true);
  }

  private TestRead[] limited(ByteRange... ranges) {
    TestRead[] reads = new TestRead[ranges.length];
    for (int i = 0; i < ranges.length; i++) {
      reads[i] = into(ranges[i]);
    }
    fixture.base.submit(LIMIT.toNanos(), reads);
    return reads;
  }

  @Test
  void aCallsTimeLimitIsReportedAfterWhatArrivedBefore() {
    TestRead read = limited(ByteRange.of(0, 4 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(0, MIB, 100));
    fixture.advance(BEYOND);
    assertFalse(read.isEnded());
    fixture.answer(fixture.chunk(0, MIB + 100, MIB));
    fixture.answer(fixture.chunk(0, 2 * MIB + 100, 100));
    assertEquals(1, fixture.workers.size(), "nothing more is taken for it");
    fixture.hash(0);
    RangeTimeoutException failure = read.failure(RangeTimeoutException.class);
    assertEquals(MIB + 100, failure.context().bytesDelivered());
    fixture.assertDelivered(read, MIB + 100);
    assertEquals(1, fixture.call().ranges().size());
    fixture.finish();
  }

  @Test
  void aCorruptChunkThatArrivedBeforeTheTimeLimitIsWhatIsReported() {
    TestRead[] reads = limited(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, MIB + 1));
    fixture.answer(fixture.corrupt(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    fixture.advance(BEYOND);
    fixture.hash(0);
    DataCorruptionException failure = reads[0].failure(DataCorruptionException.class);
    assertEquals(0, failure.offset());
    reads[1].failure(RangeTimeoutException.class);
    fixture.assertDelivered(reads[1], 0);
    assertEquals(0, fixture.base.transport.memoriesHeld());
    assertEquals(2, fixture.call().ranges().size(), "there is no time to ask again");
    fixture.finish();
  }

  @Test
  void aShortRangeThatEndedBeforeTheTimeLimitIsWhatIsReported() {
    TestRead read = limited(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB).setRangeEnd(true));
    fixture.advance(BEYOND);
    fixture.hash(0);
    read.failure(IncompleteRangeException.class);
    fixture.finish();
  }

  @Test
  void aRangeThatArrivedWholeBeforeTheTimeLimitSucceeds() {
    TestRead read = limited(ByteRange.of(0, MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.advance(BEYOND);
    fixture.hash(0);
    read.assertBytes(object.bytes(0, MIB));
    fixture.finish();
  }

  @Test
  void aTimeLimitIsReportedAfterWhatArrivedBeforeForOtherRangesOfTheCall() {
    TestRead[] reads = limited(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, MIB));
    TestRead other = fixture.reads(ByteRange.of(5 * MIB, MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(2, 5 * MIB, MIB));
    fixture.advance(BEYOND);
    assertFalse(reads[1].isEnded());
    fixture.hash(0);
    reads[0].failure(RangeTimeoutException.class);
    reads[1].failure(RangeTimeoutException.class);
    assertFalse(other.isEnded(), "other calls are not concerned");
    fixture.hash(1);
    other.assertBytes(object.bytes(5 * MIB, 6 * MIB));
    fixture.finish();
  }

  @Test
  void aCancelAfterTheTimeLimitDropsWhatIsHeld() {
    TestRead read = limited(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.advance(BEYOND);
    fixture.base.cancel(read);
    fixture.base.settle();
    read.failure(CancellationException.class);
    fixture.assertDelivered(read, 0);
    assertEquals(0, fixture.base.transport.memoriesHeld());
    fixture.finish();
  }

  @Test
  void aCloseAfterTheTimeLimitIsWhatIsReported() {
    TestRead read = limited(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.advance(BEYOND);
    fixture.base.close();
    read.failure(SessionClosedException.class);
    fixture.assertDelivered(read, 0);
    fixture.finish();
  }

  @Test
  void aTimeLimitWhileABrokenStreamSettlesIsNotAskedForAgain() {
    TestRead read = limited(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.advance(BEYOND);
    assertFalse(read.isEnded());
    fixture.hash(0);
    read.failure(RangeTimeoutException.class);
    fixture.assertDelivered(read, MIB);
    fixture.advance(BEYOND);
    fixture.base.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void aRangesTimeLimitIsReportedAfterWhatArrivedBeforeButNotAfterWhatComesLater() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, 2 * MIB));
    fixture.answer(fixture.chunk(0, 0, MIB));
    for (int i = 0; i < 40; i++) {
      fixture.advance(Duration.ofSeconds(20));
      fixture.answer(fixture.chunk(1, 3 * MIB + i, 1));
      if (i > 30) {
        fixture.hashAll();
      }
    }
    RangeTimeoutException failure = reads[0].failure(RangeTimeoutException.class);
    assertEquals(MIB, failure.context().bytesDelivered());
    fixture.answer(fixture.chunk(1, 3 * MIB + 40, 2 * MIB - 40));
    fixture.hashAll();
    reads[1].assertBytes(object.bytes(3 * MIB, 5 * MIB));
    fixture.finish();
  }

  @Test
  void anAllocatorThatThrowsIsReportedAfterWhatArrivedBefore() {
    TestRead first = into(ByteRange.of(0, MIB));
    TestRead failing =
        new TestRead(
            ByteRange.of(3 * MIB, MIB),
            new AllocatedDestination(
                size -> {
                  throw new IllegalStateException("by the allocator");
                },
                released -> {}),
            true);
    fixture.base.submit(ReadCall.NO_TIMEOUT, first, failing);
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.base.settle();
    assertFalse(failing.isEnded());
    fixture.hash(0);
    first.assertBytes(object.bytes(0, MIB));
    failing.failure(IllegalStateException.class);
    fixture.finish();
  }

  @Test
  void anAllocatorThatEndsAfterTheTimeLimitAsksForNothing() {
    TestRead first = into(ByteRange.of(0, 2 * MIB));
    TestRead late =
        new TestRead(
            ByteRange.of(3 * MIB, MIB),
            new AllocatedDestination(ByteBuffer::allocate, released -> {}),
            true);
    fixture.base.submit(LIMIT.toNanos(), first, late);
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.advance(BEYOND);
    assertEquals(1, fixture.call().ranges().size());
    assertFalse(late.isEnded());
    fixture.hash(0);
    late.failure(RangeTimeoutException.class);
    first.failure(RangeTimeoutException.class);
    fixture.finish();
  }

  @Test
  void anErrorWaitsForAllThatIsHeldWhenItComesAndForNothingElse() {
    TestRead read = fixture.reads(ByteRange.of(0, 5 * MIB))[0];
    for (int i = 0; i < 3; i++) {
      fixture.answer(fixture.chunk(0, (long) i * MIB, MIB));
    }
    boolean[] reported = {false};
    read.read().call().afterHeld(() -> reported[0] = true);
    fixture.answer(fixture.chunk(0, 3 * MIB, MIB));
    fixture.hash(1);
    fixture.hash(0);
    assertFalse(reported[0], "the third came before it");
    fixture.hash(2);
    assertTrue(reported[0], "the fourth came after it");
    fixture.finish();
  }

  @Test
  void aSinkThatThrowsLaterLosesWhatItsRangeHoldsAndNoOther() {
    TestRead failing =
        new TestRead(
            ByteRange.of(0, 4 * MIB),
            new ExecutorSinkDestination(
                chunk -> {
                  throw new IllegalStateException("by the sink");
                },
                fixture.base.queue()),
            true);
    TestRead other = into(ByteRange.of(4 * MIB, 2 * MIB));
    fixture.base.submit(ReadCall.NO_TIMEOUT, failing, other);
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 4 * MIB, MIB));
    fixture.answer(fixture.corrupt(0, MIB, MIB));
    fixture.answer(fixture.chunk(1, 5 * MIB, MIB));
    fixture.hash(0);
    failing.failure(IllegalStateException.class);
    assertEquals(2, fixture.base.transport.memoriesHeld());
    fixture.hash(1);
    fixture.hash(3);
    other.assertBytes(object.bytes(4 * MIB, 6 * MIB));
    assertEquals(2, fixture.call().ranges().size(), "nothing was asked for again");
    fixture.finish();
  }

  @Test
  void aSinkThatThrowsEndsItsRangeAloneInTheMiddleOfADrain() {
    TestRead failing =
        new TestRead(
            ByteRange.of(0, 2 * MIB),
            new LoopSinkDestination(
                chunk -> {
                  throw new IllegalStateException("by the sink");
                }),
            true);
    TestRead other = new TestRead(ByteRange.of(3 * MIB, 2 * MIB), new GrowingDestination(16), true);
    fixture.base.submit(ReadCall.NO_TIMEOUT, failing, other);
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    fixture.answer(fixture.chunk(0, MIB, MIB));
    fixture.answer(fixture.chunk(1, 4 * MIB, MIB));
    fixture.hash(3);
    fixture.hash(1);
    fixture.hash(0);
    failing.failure(IllegalStateException.class);
    other.assertBytes(object.bytes(3 * MIB, 5 * MIB));
    assertEquals(2, fixture.call().ranges().size(), "nothing was asked for again");
    fixture.finish();
  }
}
