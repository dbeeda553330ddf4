// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.ReadCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class StreamSetTest {
  private static final int MIB = 1 << 20;
  private final TestObject object = new TestObject(9 * MIB, true, 3);

  private static int asked(StreamSetFixture fixture, int stream) {
    return fixture.call(stream).ranges().size();
  }

  private void assertAllRead(List<TestRead> reads) {
    for (TestRead read : reads) {
      ByteRange.Bounded range = (ByteRange.Bounded) read.read().range();
      read.assertBytes(object.bytes(range.offset(), range.offset() + range.length()));
    }
  }

  @Test
  void littleToDoIsDoneOnOneStream() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 4);
    for (int i = 0; i < 100; i++) {
      TestRead read = fixture.read(ByteRange.of(i, 10));
      fixture.answer(0, i);
      read.assertBytes(object.bytes(i, i + 10));
    }
    assertEquals(1, fixture.transports.size());
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void muchToDoIsSharedOutEvenly() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 4);
    List<TestRead> reads = fixture.large(8);
    assertEquals(4, fixture.transports.size());
    for (int stream = 0; stream < 4; stream++) {
      assertEquals(2, asked(fixture, stream), "stream " + stream);
      fixture.answer(stream, 0);
    }
    assertAllRead(reads);
    List<TestRead> again = fixture.large(4);
    assertEquals(4, fixture.transports.size(), "idle streams are used again");
    for (int stream = 0; stream < 4; stream++) {
      assertEquals(3, asked(fixture, stream));
      fixture.answer(stream, 2);
    }
    assertAllRead(again);
    fixture.finish();
  }

  @Test
  void furtherStreamsArePinnedToTheGenerationAndUseTheHandle() {
    StreamSetFixture fixture = new StreamSetFixture(object, 1, 2, false);
    fixture.call(0).answer(object.metadata(77));
    fixture.call(0).answer(TestObject.handle((byte) 5));
    fixture.settle();
    fixture.large(2);
    assertEquals(77, fixture.call(1).spec().getGeneration());
    assertArrayEquals(
        new byte[] {5}, fixture.call(1).spec().getReadHandle().getHandle().toByteArray());
    fixture.call(1).answer(object.metadata(78));
    fixture.settle();
    assertEquals(2, asked(fixture, 0), "of another generation nothing is read");
    fixture.finish();
  }

  @Test
  void theFirstRangesTravelWithTheOpenAndTheRestIsSharedOutAfterIt() {
    StreamSetFixture fixture = new StreamSetFixture(object, 2, 2, false);
    TestRead[] reads = new TestRead[150];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = new TestRead(ByteRange.of(i, 10), new GrowingDestination(10), true);
    }
    fixture.submit(reads);
    assertEquals(1, fixture.transports.size());
    assertEquals(100, asked(fixture, 0));
    fixture.call(0).answer(object.metadata());
    fixture.settle();
    assertEquals(50, asked(fixture, 1), "to the one with less to do");
    fixture.answer(0, 0);
    fixture.answer(1, 0);
    assertAllRead(List.of(reads));
    fixture.finish();
  }

  @Test
  void theLeastNumberIsOpenedAtOnceAndKept() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 3, 5);
    assertEquals(3, fixture.transports.size());
    fixture.large(5);
    assertEquals(5, fixture.transports.size());
    for (int stream = 0; stream < 5; stream++) {
      fixture.answer(stream, 0);
    }
    fixture.advance(Duration.ofMinutes(3));
    for (int stream = 1; stream < 5; stream++) {
      if (fixture.call(stream).isHalfClosed()) {
        fixture.call(stream).end(StatusCode.OK);
      }
    }
    fixture.settle();
    long open = fixture.transports.stream().filter(transport -> !transport.call().isOver()).count();
    assertEquals(3, open, "those beyond the least are let go");
    assertFalse(fixture.call(0).isOver(), "never the first");
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void aStreamThatBreaksGivesItsRangesToTheLiving() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 2);
    List<TestRead> reads = fixture.large(2);
    fixture.call(1).answer(object.metadata());
    long id = fixture.call(0).range(0).getReadId();
    fixture.call(0).answer(TestObject.of(object.chunk(id, 0, MIB).build()));
    fixture.settle();
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(2, asked(fixture, 1), "at once, without a wait");
    assertEquals(MIB, fixture.call(1).range(1).getReadOffset(), "from the delivered bytes on");
    fixture.answer(1, 0);
    assertAllRead(reads);
    fixture.finish();
  }

  /** Nobody chooses the stream that is broken, though it has nothing to do. */
  @Test
  void b06_aNewRangeGoesToTheLivingStreamAndNotToTheOneThatReconnects() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 2, 2);
    fixture.call(1).answer(object.metadata());
    fixture.large(1);
    fixture.settle();
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    assertEquals(2, asked(fixture, 1));
    fixture.answer(1, 0);
    read.assertBytes(object.bytes(0, 10));
    assertEquals(1, fixture.transports.get(0).calls().size());
    fixture.finish();
  }

  @Test
  void sinksStayOnTheHomeLoopAndWaitForTheirStream() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 2, 2);
    fixture.call(1).answer(object.metadata());
    TestRead sink = fixture.sink(ByteRange.of(0, 10));
    TestRead other = fixture.sink(ByteRange.of(10, 10));
    assertEquals(2, asked(fixture, 0));
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(0, asked(fixture, 1));
    fixture.advance(Duration.ofSeconds(2));
    fixture.answer(0, 0);
    assertEquals(10, sink.result().length());
    assertEquals(10, other.result().length());
    fixture.finish();
  }

  @Test
  void onOneLoopThatBreaksAltogetherRangesWaitWhereTheyAre() {
    StreamSetFixture fixture = new StreamSetFixture(object, 2, 2, true);
    fixture.call(0).answer(object.metadata());
    fixture.settle();
    fixture.call(1).answer(object.metadata());
    List<TestRead> reads = fixture.large(2);
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(2, asked(fixture, 1));
    fixture.call(1).end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(2));
    for (int stream = 0; stream < 2; stream++) {
      if (!fixture.call(stream).isOver()) {
        fixture.answer(stream, 0);
      }
    }
    assertAllRead(reads);
    fixture.finish();
  }

  @Test
  void b10_aStreamThatDiesForGoodFailsItsOwnRangesAndNoOther() {
    TestObject small = new TestObject(1_000, true, 3);
    StreamSetFixture fixture = StreamSetFixture.open(small, 3, 3);
    fixture.call(1).answer(small.metadata());
    fixture.call(2).answer(small.metadata());
    List<TestRead> reads = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      reads.add(fixture.read(ByteRange.of(i, 10)));
    }
    assertEquals(5, asked(fixture, 2));
    fixture.call(2).end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    assertEquals(5, reads.stream().filter(TestRead::isEnded).count());
    reads.stream()
        .filter(TestRead::isEnded)
        .forEach(read -> read.failure(AccessDeniedException.class));
    fixture.answer(0, 0);
    fixture.answer(1, 0);
    assertEquals(10, reads.stream().filter(TestRead::succeeded).count());
    reads.forEach(TestRead::assertOnce);
    TestRead later = fixture.read(ByteRange.of(0, 10));
    fixture.answer(0, 5);
    fixture.answer(1, 5);
    if (fixture.transports.size() > 3) {
      fixture.answer(3, 0);
    }
    later.assertBytes(small.bytes(0, 10));
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void b10_aFurtherStreamThatCanNotBeOpenedFailsNoRangeThatCanBeReadElsewhere() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 2);
    List<TestRead> reads = fixture.large(2);
    fixture.call(1).end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    assertEquals(2, asked(fixture, 0));
    fixture.answer(0, 0);
    assertAllRead(reads);
    List<TestRead> more = fixture.large(2);
    assertEquals(2, fixture.transports.size(), "not tried again at once");
    fixture.answer(0, 2);
    assertAllRead(more);
    fixture.advance(Duration.ofSeconds(61));
    fixture.large(2);
    assertEquals(3, fixture.transports.size());
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void b56_tokenAndHandleOfARedirectAreNeverMixedBetweenStreams() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 2);
    fixture.large(2);
    for (int i = 1; i <= 2; i++) {
      byte[] handle = {(byte) i};
      fixture.call(0).redirect(Optional.of("token" + i), Optional.of(handle));
      fixture.settle();
      if (i == 1) {
        fixture.call(1).redirect(Optional.of("other"), Optional.empty());
        fixture.settle();
      }
      assertEquals("token" + i, fixture.call(0).spec().getRoutingToken());
      assertArrayEquals(handle, fixture.call(0).spec().getReadHandle().getHandle().toByteArray());
    }
    assertEquals("other", fixture.call(1).spec().getRoutingToken());
    assertFalse(fixture.call(1).spec().hasReadHandle(), "each stream keeps its own pair");
    fixture.finish();
  }

  @Test
  void aRangeIsGivenUpWhereverItIs() {
    StreamSetFixture fixture = new StreamSetFixture(object, 2, 2, false);
    TestRead[] reads = new TestRead[102];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = new TestRead(ByteRange.of(i, 10), new GrowingDestination(10), true);
    }
    fixture.submit(reads);
    cancel(fixture, reads[101]);
    reads[101].failure(CancellationException.class);
    fixture.call(0).answer(object.metadata());
    fixture.settle();
    cancel(fixture, reads[100]);
    reads[100].failure(CancellationException.class);
    cancel(fixture, reads[0]);
    reads[0].failure(CancellationException.class);
    fixture.finish();
  }

  private static void cancel(StreamSetFixture fixture, TestRead read) {
    read.abandon();
    fixture.set.abandon(read.read());
    fixture.settle();
  }

  @Test
  void aCallsTimeRunsOnThroughMoves() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 2);
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    TestRead[] reads = new TestRead[2];
    for (int i = 0; i < 2; i++) {
      reads[i] = new TestRead(ByteRange.of(i, 8L * MIB), new GrowingDestination(16), true);
    }
    fixture.submit(Duration.ofSeconds(10).toNanos(), reads);
    fixture.call(1).answer(object.metadata());
    fixture.advance(Duration.ofSeconds(6));
    fixture.call(1).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(2, asked(fixture, 0));
    fixture.advance(Duration.ofSeconds(3));
    assertFalse(reads[0].isEnded() || reads[1].isEnded());
    fixture.advance(Duration.ofSeconds(2));
    for (TestRead read : reads) {
      String text = read.failure(RangeTimeoutException.class).getMessage();
      assertTrue(text.contains("limit of 10"), text);
    }
    fixture.finish();
  }

  @Test
  void anObjectThatCanNotBeOpenedFailsEverythingThatWaits() {
    StreamSetFixture fixture = new StreamSetFixture(object, 2, 4, false);
    TestRead[] reads = new TestRead[150];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = new TestRead(ByteRange.of(i, 10), new GrowingDestination(10), true);
    }
    fixture.submit(reads);
    fixture.call(0).end(StatusCode.NOT_FOUND);
    fixture.settle();
    for (TestRead read : reads) {
      read.failure(ObjectNotFoundException.class);
    }
    assertEquals(1, fixture.openFailures.size());
    assertEquals(1, fixture.stopped);
    fixture.read(ByteRange.of(0, 10)).failure(ObjectNotFoundException.class);
    assertEquals(1, fixture.transports.size());
    fixture.finish();
  }

  @Test
  void aCloseEndsEveryStreamAndFailsEveryRange() {
    StreamSetFixture fixture = new StreamSetFixture(object, 2, 2, false);
    TestRead[] reads = new TestRead[150];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = new TestRead(ByteRange.of(i, 10), new GrowingDestination(10), true);
    }
    fixture.submit(reads);
    fixture.set.close("closed by the test");
    fixture.settle();
    for (TestRead read : reads) {
      read.failure(SessionClosedException.class);
    }
    fixture.read(ByteRange.of(0, 10)).failure(SessionClosedException.class);
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void aSetWithoutAGenerationStaysWithOneStream() {
    TestObject any = new TestObject(9 * MIB, false, 3);
    StreamSetFixture fixture = new StreamSetFixture(any, 2, 4, false);
    fixture.call(0).answer(any.metadata(0));
    fixture.settle();
    assertTrue(fixture.transports.size() >= 1);
    fixture.finish();
  }

  @Test
  void anyNumberOfCallsEndsWithItsLastStream() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 2);
    fixture.large(2);
    fixture.call(1).answer(object.metadata());
    fixture.call(0).end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    fixture.call(1).end(StatusCode.NOT_FOUND);
    fixture.settle();
    assertEquals(1, fixture.stopped);
    fixture.read(ByteRange.of(0, 10)).failure();
    fixture.submit(
        ReadCall.NO_TIMEOUT, new TestRead(ByteRange.of(0, 1), new GrowingDestination(1), true));
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void aCloseReachesAStreamThatFailedAndStillWaitsForASink() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 2, 2);
    fixture.call(1).answer(object.metadata());
    fixture.settle();
    TestRead read = fixture.sink(ByteRange.of(0, 1_000));
    fixture.call(0).answer(TestObject.of(object.whole(fixture.call(0).range(0))));
    fixture.settleButSinks();
    fixture.call(0).end(StatusCode.PERMISSION_DENIED);
    fixture.settleButSinks();
    assertFalse(read.isEnded(), "it has all its bytes");
    fixture.set.close("closed by the test");
    fixture.settleButSinks();
    assertTrue(read.isEnded(), "its sink may never end");
    fixture.settle();
    read.failure(SessionClosedException.class);
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }
}
