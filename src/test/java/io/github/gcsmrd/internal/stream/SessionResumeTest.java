// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SessionResumeTest {
  private final TestObject object = new TestObject(2_000, true, 5);

  @Test
  void openAndFirstRangesGoInOneMessage() {
    SessionFixture fixture = new SessionFixture();
    fixture.transport.readyAtOnce(false);
    fixture.start();
    TestRead read = fixture.read(ByteRange.of(10, 20));
    assertEquals(0, fixture.call().requests().size(), "nothing is sent before the stream is ready");
    fixture.call().makeReady();
    assertEquals(1, fixture.call().requests().size());
    assertEquals(1, fixture.call().requests().get(0).getReadRangesCount());
    assertEquals("projects/_/buckets/bucket", fixture.call().spec().getBucket());
    fixture.call().answer(object.metadata());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(10, 30));
    assertTrue(read.result().verified());
    fixture.finish();
  }

  @ParameterizedTest
  @EnumSource(
      value = StatusCode.class,
      names = {
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "UNAVAILABLE",
        "INTERNAL",
        "DEADLINE_EXCEEDED",
        "RESOURCE_EXHAUSTED",
        "ABORTED"
      })
  void oneFailureWithFiftyRangesLeadsToOneReopen(StatusCode code) {
    SessionFixture fixture = SessionFixture.open(object);
    List<TestRead> reads = fixture.reads(50, 20);
    FakeCall first = fixture.call();
    for (int i = 0; i < 50; i++) {
      ReadRange range = first.range(i);
      first.answer(
          TestObject.of(object.chunk(range.getReadId(), range.getReadOffset(), i % 20).build()));
    }
    first.end(code);
    fixture.transport.assertCalls(1);
    fixture.advance(Duration.ofSeconds(1));
    fixture.transport.assertCalls(2);
    FakeCall second = fixture.call();
    assertEquals(50, second.ranges().size());
    assertEquals(TestObject.GENERATION, second.spec().getGeneration());
    for (int i = 0; i < 50; i++) {
      assertEquals(20L * i + i % 20, second.range(i).getReadOffset());
      assertEquals(20 - i % 20, second.range(i).getReadLength());
      second.answer(TestObject.of(object.whole(second.range(i))));
    }
    fixture.settle();
    for (int i = 0; i < 50; i++) {
      reads.get(i).assertBytes(object.bytes(20L * i, 20L * i + 20));
    }
    fixture.advance(Duration.ofMinutes(5));
    fixture.transport.assertCalls(2);
    fixture.finish();
  }

  @Test
  void rangesSubmittedInAnyStateAreSentExactlyOnce() {
    SessionFixture fixture = new SessionFixture();
    fixture.transport.readyAtOnce(false);
    fixture.start();
    fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.read(ByteRange.of(10, 10));
    fixture.advance(Duration.ofMillis(999));
    fixture.transport.assertCalls(1);
    fixture.advance(Duration.ofMillis(1));
    fixture.read(ByteRange.of(20, 10));
    FakeCall second = fixture.call();
    second.makeReady();
    assertEquals(List.of(0L, 10L, 20L), offsets(second));
    second.answer(object.metadata());
    fixture.read(ByteRange.of(30, 10));
    assertEquals(List.of(0L, 10L, 20L, 30L), offsets(second));
    assertEquals(2, second.requests().size());
    fixture.finish();
  }

  private static List<Long> offsets(FakeCall call) {
    return call.ranges().stream().map(ReadRange::getReadOffset).toList();
  }

  @Test
  void batchesHoldAtMostAHundredRangesAlsoOnAReopen() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.reads(250, 4);
    assertEquals(
        List.of(0, 100, 100, 50),
        fixture.call().requests().stream().map(r -> r.getReadRangesCount()).toList());
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(1));
    assertEquals(
        List.of(100, 100, 50),
        fixture.call().requests().stream().map(r -> r.getReadRangesCount()).toList());
    fixture.finish();
  }

  @Test
  void atMostAThousandRangesAreOutstanding() {
    SessionFixture fixture = SessionFixture.open(object);
    List<TestRead> reads = fixture.reads(1_500, 1);
    FakeCall call = fixture.call();
    assertEquals(1_000, call.ranges().size());
    call.answer(TestObject.of(object.whole(call.range(0)), object.whole(call.range(1))));
    assertEquals(1_002, call.ranges().size());
    for (int i = 2; i < 1_500; i++) {
      call.answer(TestObject.of(object.whole(call.range(i))));
    }
    fixture.settle();
    assertTrue(reads.stream().allMatch(TestRead::succeeded));
    Set<Long> ids = new HashSet<>();
    call.ranges().forEach(range -> assertTrue(ids.add(range.getReadId())));
    fixture.finish();
  }

  @Test
  void aCancelOfOutstandingRangesMakesRoomForThoseThatWait() {
    SessionFixture fixture = SessionFixture.open(object);
    List<TestRead> reads = fixture.reads(1_001, 1);
    assertEquals(1_000, fixture.call().ranges().size());
    fixture.cancel(reads.get(0));
    assertEquals(1_001, fixture.call().ranges().size());
    fixture.finish();
  }

  @Test
  void aBusyTransportTakesRangesOnceItIsReadyAgain() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.call().makeBusy();
    fixture.reads(150, 2);
    assertEquals(0, fixture.call().ranges().size());
    fixture.call().makeReady();
    assertEquals(150, fixture.call().ranges().size());
    fixture.finish();
  }

  @Test
  void aLostRangeEndIsNotAskedForToTheEndOfTheObject() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 0, 10).build()));
    call.end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofMinutes(3));
    read.assertBytes(object.bytes(0, 10));
    fixture.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void aSecondRangeEndAndLateDataAreIgnoredAndReleased() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    TestRead other = fixture.read(ByteRange.of(50, 10));
    FakeCall call = fixture.call();
    long id = call.range(0).getReadId();
    call.answer(TestObject.of(object.whole(call.range(0))));
    call.answer(TestObject.of(TestObject.rangeEnd(id).build()));
    call.answer(TestObject.of(object.chunk(id, 10, 10).build()));
    call.answer(TestObject.of(object.chunk(4_711, 10, 10).build()));
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    other.assertBytes(object.bytes(50, 60));
    fixture.finish();
  }

  @Test
  void eventsOfAnOldStreamReachNothing() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    FakeCall old = fixture.call();
    old.end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(1));
    FakeCall live = fixture.call();
    old.answerLate(TestObject.of(object.chunk(live.range(0).getReadId(), 0, 5).build()));
    old.endLate(StatusCode.NOT_FOUND);
    assertFalse(read.isEnded());
    fixture.transport.assertCalls(2);
    live.answer(TestObject.of(object.whole(live.range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void aRangeCancelledBeforeItWasTakenLeavesTheNextOneUnharmed() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.call().end(StatusCode.OK);
    TestRead given =
        new TestRead(
            ByteRange.of(0, 10), new io.github.gcsmrd.internal.read.GrowingDestination(10), true);
    given.abandon();
    fixture.submit(0, given);
    fixture.settle();
    given.failure(java.util.concurrent.CancellationException.class);
    fixture.transport.assertCalls(1);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.transport.assertCalls(2);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void idleEndsOfAnyTransientKindAreNoFailure() {
    SessionFixture fixture = SessionFixture.open(object);
    for (StatusCode code :
        new StatusCode[] {
          StatusCode.OK,
          StatusCode.ABORTED,
          StatusCode.CANCELLED,
          StatusCode.UNAVAILABLE,
          StatusCode.OUT_OF_RANGE
        }) {
      int calls = fixture.transport.calls().size();
      fixture.call().end(code);
      fixture.advance(Duration.ofMinutes(10));
      fixture.transport.assertCalls(calls);
      TestRead read = fixture.read(ByteRange.of(0, 10));
      fixture.transport.assertCalls(calls + 1);
      fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
      fixture.settle();
      read.assertBytes(object.bytes(0, 10));
    }
    fixture.finish();
  }

  @Test
  void aReadOfEverythingIsCheckedAgainstTheObjectAcrossStreams() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.all());
    FakeCall first = fixture.call();
    long id = first.range(0).getReadId();
    IntStream.range(0, 3)
        .forEach(i -> first.answer(TestObject.of(object.chunk(id, 100L * i, 100).build())));
    first.end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(1));
    FakeCall second = fixture.call();
    assertEquals(300, second.range(0).getReadOffset());
    assertEquals(0, second.range(0).getReadLength());
    // An overlap, as a server may give that starts at a block.
    second.answer(
        TestObject.of(
            object.chunk(second.range(0).getReadId(), 250, 1_750).setRangeEnd(true).build()));
    fixture.settle();
    read.assertBytes(object.bytes(0, 2_000));
    assertTrue(read.result().verified());
    fixture.finish();
  }
}
