// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeNotSatisfiableException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd.RangeError;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionRangeFaultTest {
  private final TestObject object = new TestObject(1_000, true, 8);

  private static RangeError error(ReadRange range, StatusCode code) {
    return new RangeError(range.getReadId(), code, "of the range");
  }

  @Test
  void severalRangesFailInOneErrorAndTheRestGoesOnAtOnce() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead done = fixture.read(ByteRange.of(0, 10));
    TestRead beyond = fixture.read(ByteRange.of(2_000, 10));
    TestRead refused = fixture.read(ByteRange.of(20, 10));
    TestRead fine = fixture.read(ByteRange.of(30, 10));
    TestRead again = fixture.read(ByteRange.of(40, 10));
    TestRead unlisted = fixture.read(ByteRange.of(50, 10));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    call.rangeErrors(
        StatusCode.OUT_OF_RANGE,
        error(call.range(0), StatusCode.OUT_OF_RANGE),
        error(call.range(1), StatusCode.OUT_OF_RANGE),
        error(call.range(2), StatusCode.DATA_LOSS),
        error(call.range(3), StatusCode.OK),
        error(call.range(4), StatusCode.UNAVAILABLE),
        new RangeError(4_711, StatusCode.INTERNAL, "unknown"));
    fixture.settle();
    done.assertBytes(object.bytes(0, 10));
    assertTrue(
        beyond.failure(RangeNotSatisfiableException.class).getMessage().contains("of the range"));
    assertEquals(StatusCode.DATA_LOSS, refused.failure(RangeException.class).status());
    fixture.transport.assertCalls(2);
    assertEquals(
        List.of(30L, 40L, 50L),
        fixture.call().ranges().stream().map(ReadRange::getReadOffset).toList());
    fixture.call().ranges().stream()
        .toList()
        .forEach(range -> fixture.call().answer(TestObject.of(object.whole(range))));
    fixture.settle();
    fine.assertBytes(object.bytes(30, 40));
    again.assertBytes(object.bytes(40, 50));
    unlisted.assertBytes(object.bytes(50, 60));
    fixture.finish();
  }

  @Test
  void aRetryableRangeErrorThatStaysEndsTheRangeAlone() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    TestRead other = fixture.read(ByteRange.of(10, 10));
    for (int i = 0; i < 4; i++) {
      FakeCall call = fixture.call();
      ReadRange range =
          call.ranges().stream().filter(r -> r.getReadOffset() == 0).findFirst().orElseThrow();
      call.rangeErrors(StatusCode.UNAVAILABLE, error(range, StatusCode.UNAVAILABLE));
      fixture.advance(Duration.ofSeconds(8));
    }
    fixture.settle();
    assertEquals(StatusCode.UNAVAILABLE, read.failure(RangeException.class).status());
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    fixture.settle();
    other.assertBytes(object.bytes(10, 20));
    fixture.finish();
  }

  @Test
  void anErrorAboutARangeThatIsDoneBlamesNoOther() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead done = fixture.read(ByteRange.of(0, 10));
    TestRead other = fixture.read(ByteRange.of(20, 10));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    call.rangeErrors(StatusCode.OUT_OF_RANGE, error(call.range(0), StatusCode.OUT_OF_RANGE));
    fixture.settle();
    done.assertBytes(object.bytes(0, 10));
    assertFalse(other.isEnded(), "nothing was said about it");
    fixture.transport.assertCalls(2);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    other.assertBytes(object.bytes(20, 30));
    fixture.finish();
  }

  @Test
  void anErrorAboutACancelledRangeSparesTheSession() {
    for (StatusCode code : new StatusCode[] {StatusCode.OUT_OF_RANGE, StatusCode.DATA_LOSS}) {
      SessionFixture fixture = SessionFixture.open(object);
      TestRead cancelled = fixture.read(ByteRange.of(5_000, 10));
      fixture.cancel(cancelled);
      fixture.call().makeBusy();
      TestRead waiting = fixture.read(ByteRange.of(0, 10));
      fixture.call().rangeErrors(code, error(fixture.call().range(0), code));
      fixture.advance(Duration.ofSeconds(1));
      fixture.transport.assertCalls(2);
      fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
      fixture.settle();
      waiting.assertBytes(object.bytes(0, 10));
      fixture.finish();
    }
  }

  /** It may be meant for a range that nobody here waits for any more. */
  @Test
  void anOutOfRangeWithoutNamesBesideACancelledRangeBlamesNobodyYet() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead innocent = fixture.read(ByteRange.of(20, 10));
    TestRead cancelled = fixture.read(ByteRange.of(5_000, 10));
    fixture.cancel(cancelled);
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.settle();
    assertFalse(innocent.isEnded(), "the other may have been meant");
    fixture.transport.assertCalls(2);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    innocent.assertBytes(object.bytes(20, 30));
    fixture.finish();
  }

  @Test
  void anErrorThatKeepsNamingStrangersEndsTheRange() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 20 && !read.isEnded(); i++) {
      fixture
          .call()
          .rangeErrors(StatusCode.OUT_OF_RANGE, new RangeError(4_711, StatusCode.OUT_OF_RANGE, ""));
      fixture.settle();
    }
    read.failure(RangeException.class);
    fixture.finish();
  }

  @Test
  void anOutOfRangeWithoutNamesIsTrackedDownOneByOne() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead first = fixture.read(ByteRange.of(0, 10));
    TestRead culprit = fixture.read(ByteRange.of(5_000, 10));
    TestRead last = fixture.read(ByteRange.of(20, 10));
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    assertEquals(1, fixture.call().ranges().size(), "one alone");
    TestRead later = fixture.read(ByteRange.of(30, 10));
    assertEquals(1, fixture.call().ranges().size(), "nobody joins a trial");
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    assertEquals(5_000, fixture.call().range(1).getReadOffset());
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.settle();
    culprit.failure(RangeNotSatisfiableException.class);
    FakeCall call = fixture.call();
    for (int i = 0; i < call.ranges().size(); i++) {
      call.answer(TestObject.of(object.whole(call.range(i))));
    }
    fixture.settle();
    first.assertBytes(object.bytes(0, 10));
    last.assertBytes(object.bytes(20, 30));
    later.assertBytes(object.bytes(30, 40));
    fixture.finish();
  }

  @Test
  void aSuspectThatIsCancelledMakesRoomForTheNext() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead first = fixture.read(ByteRange.of(0, 10));
    TestRead second = fixture.read(ByteRange.of(20, 10));
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.cancel(first);
    FakeCall call = fixture.call();
    assertEquals(2, call.ranges().size());
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.settle();
    second.assertBytes(object.bytes(20, 30));
    fixture.finish();
  }

  @Test
  void outOfRangeAtTheEndOfAnEmptyObjectIsAnEmptyRange() {
    TestObject empty = new TestObject(0, true, 1);
    SessionFixture fixture = SessionFixture.open(empty);
    TestRead all = fixture.read(ByteRange.all());
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.settle();
    all.assertBytes(new byte[0]);
    assertFalse(all.result().verified(), "there was nothing to verify");
    TestRead last = fixture.read(ByteRange.last(5));
    fixture.call().answer(TestObject.of(empty.whole(fixture.call().range(0))));
    fixture.settle();
    last.assertBytes(new byte[0]);
    fixture.finish();
  }

  @Test
  void outOfRangeAfterBytesOfTheSameRequestIsNoEndOfTheObject() {
    SessionFixture fixture = new SessionFixture().start(SessionFixture.handleConfig(5, (byte) 1));
    TestRead read = fixture.read(ByteRange.from(0));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 0, 400).build()));
    call.end(StatusCode.OUT_OF_RANGE);
    fixture.settle();
    assertEquals(400, read.failure(RangeNotSatisfiableException.class).context().bytesDelivered());
    TestRead resumed = fixture.read(ByteRange.from(0));
    call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 0, 1_000).build()));
    call.end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(1));
    assertEquals(1_000, fixture.call().range(0).getReadOffset());
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.settle();
    resumed.assertBytes(object.bytes(0, 1_000));
    fixture.finish();
  }

  @Test
  void detailsTooLargeAreMetByAskingForHalves() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.reads(40, 10);
    for (int expected : new int[] {20, 10, 5, 2, 1}) {
      fixture
          .call()
          .end(
              FakeCall.status(
                  StatusCode.INTERNAL, "too large", StreamEnd.Origin.METADATA_TOO_LARGE));
      assertEquals(expected, fixture.call().ranges().size());
    }
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    assertEquals(40, fixture.call().ranges().size(), "bytes lift the limit");
    fixture.finish();
  }

  @Test
  void detailsTooLargeForOneRangeAreThatRangesFailureAlone() {
    SessionFixture fixture = SessionFixture.open(object);
    List<TestRead> reads = fixture.reads(2, 10);
    StreamEnd tooLarge =
        FakeCall.status(StatusCode.INTERNAL, "too large", StreamEnd.Origin.METADATA_TOO_LARGE);
    fixture.call().end(tooLarge);
    fixture.settle();
    assertEquals(1, fixture.call().ranges().size());
    fixture.call().end(tooLarge);
    fixture.settle();
    assertFalse(reads.get(0).isEnded(), "they may be another's on the connection");
    fixture.advance(Duration.ofSeconds(2));
    fixture.call().end(tooLarge);
    fixture.settle();
    String text = reads.get(0).failure(RangeException.class).getMessage();
    assertTrue(text.contains("too large"), text);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    reads.get(1).assertBytes(object.bytes(10, 20));
    fixture.finish();
  }

  @Test
  void bytesForNoRangeAndMalformedMessagesBreakTheStreamOnly() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().answer(TestObject.of(object.chunk(1, 0, 10).clearReadRange().build()));
    assertTrue(fixture.call().isOver());
    fixture.advance(Duration.ofSeconds(1));
    fixture.call().answer(fixture.transport.response(new byte[] {0x32, 0x7F}));
    assertTrue(fixture.call().isOver());
    fixture.advance(Duration.ofSeconds(2));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }
}
