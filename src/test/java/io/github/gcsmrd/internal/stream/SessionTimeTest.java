// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.GrowingDestination;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionTimeTest {
  private final TestObject object = new TestObject(20 << 20, true, 7);

  @Test
  void anOpenWithoutASignIsGivenUpAfterItsLimitAndTriedAgain() {
    SessionFixture fixture = new SessionFixture().start();
    fixture.advance(Duration.ofMillis(19_999));
    assertFalse(fixture.call().isOver());
    fixture.advance(Duration.ofMillis(1));
    assertTrue(fixture.call().isOver());
    assertEquals(Duration.ofSeconds(20), fixture.call().silence());
    fixture.advance(Duration.ofSeconds(1));
    fixture.transport.assertCalls(2);
    // A sign of life starts the limit anew.
    fixture.advance(Duration.ofSeconds(15));
    fixture.call().bytes();
    fixture.advance(Duration.ofSeconds(19));
    assertFalse(fixture.call().isOver());
    fixture.advance(Duration.ofSeconds(1));
    assertTrue(fixture.call().isOver());
    fixture.finish();
  }

  @Test
  void anOpenThatIsOnlyKeptAliveEndsToo() {
    SessionFixture fixture =
        new SessionFixture()
            .start(SessionFixture.config(RetryPolicy.never(), SessionLimits.defaults()));
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 120 && !read.isEnded(); i++) {
      fixture.advance(Duration.ofSeconds(10));
      fixture.call().answer(TestObject.of());
    }
    assertTrue(read.isEnded(), "no hang");
    assertEquals(Duration.ZERO, fixture.call().silence());
    fixture.finish();
  }

  @Test
  void aSilentStreamWithARangePendingIsReopened() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.advance(Duration.ofHours(1));
    fixture.read(ByteRange.of(0, 10));
    fixture.advance(Duration.ofMillis(29_999));
    assertFalse(fixture.call().isOver());
    fixture.advance(Duration.ofMillis(1));
    assertTrue(fixture.call().isOver());
    assertEquals(Duration.ofSeconds(30), fixture.call().silence());
    fixture.advance(Duration.ofSeconds(1));
    fixture.transport.assertCalls(2);
    assertEquals(1, fixture.call().ranges().size());
    fixture.finish();
  }

  /** The timer that watched over earlier ranges still runs. */
  @Test
  void aRangeOnAnIdleStreamHasTheWholeStallTime() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.read(ByteRange.of(0, 10));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    fixture.advance(Duration.ofSeconds(29));
    TestRead read = fixture.read(ByteRange.of(10, 10));
    fixture.advance(Duration.ofSeconds(29));
    fixture.transport.assertCalls(1);
    assertFalse(fixture.call().isOver());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(1))));
    fixture.settle();
    read.assertBytes(object.bytes(10, 20));
    fixture.finish();
  }

  @Test
  void bytesAndEmptyMessagesArmTheStallTimerAnew() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 10; i++) {
      fixture.advance(Duration.ofSeconds(29));
      if (i % 2 == 0) {
        fixture.call().bytes();
      } else {
        fixture.call().answer(TestObject.of());
      }
    }
    fixture.transport.assertCalls(1);
    fixture.advance(Duration.ofSeconds(30));
    assertTrue(fixture.call().isOver());
    fixture.finish();
  }

  @Test
  void anIdleSessionIsLeftAlone() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.advance(Duration.ofDays(3));
    fixture.transport.assertCalls(1);
    assertFalse(fixture.call().isOver());
    fixture.loop.assertNoMoreTasks();
    fixture.finish();
  }

  @Test
  void aRangeThatGetsNothingWhileItsNeighboursFlowEndsByALimitOfItsOwn() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead starved = fixture.read(ByteRange.of(0, 10));
    TestRead fed = fixture.read(ByteRange.of(100, 10_000));
    FakeCall call = fixture.call();
    for (int i = 0; i < 61; i++) {
      fixture.advance(Duration.ofSeconds(10));
      call.answer(TestObject.of(object.chunk(call.range(1).getReadId(), 100 + i, 1).build()));
    }
    fixture.advance(Duration.ofSeconds(29));
    assertEquals(
        StatusCode.DEADLINE_EXCEEDED, starved.failure(RangeTimeoutException.class).status());
    assertFalse(fed.isEnded());
    fixture.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void aCallsLimitFailsItsUnfinishedRangesAndNothingElse() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead done = new TestRead(ByteRange.of(0, 10), new GrowingDestination(10), true);
    TestRead late = new TestRead(ByteRange.of(10, 10), new GrowingDestination(10), true);
    fixture.submit(Duration.ofSeconds(5).toNanos(), done, late);
    TestRead other = fixture.read(ByteRange.of(20, 10));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.advance(Duration.ofSeconds(5));
    done.assertBytes(object.bytes(0, 10));
    late.failure(RangeTimeoutException.class);
    assertFalse(other.isEnded());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(1))));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(2))));
    fixture.settle();
    other.assertBytes(object.bytes(20, 30));
    fixture.finish();
  }

  @Test
  void aCallThatEndsLetsGoOfItsLimit() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.advance(Duration.ofMinutes(1));
    TestRead read = new TestRead(ByteRange.of(0, 10), new GrowingDestination(10), true);
    fixture.submit(Duration.ofHours(5).toNanos(), read);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.advance(Duration.ofMinutes(1));
    fixture.loop.assertNoMoreTasks();
    TestRead empty = new TestRead(ByteRange.of(0, 0), new GrowingDestination(10), true);
    fixture.submit(Duration.ofHours(5).toNanos(), empty);
    fixture.settle();
    empty.assertBytes(new byte[0]);
    fixture.loop.assertNoMoreTasks();
    fixture.finish();
  }

  /** As many messages are held as may be: nothing more may come. */
  private HoldingDestination[] fillUp(SessionFixture fixture) {
    HoldingDestination[] holders = new HoldingDestination[32];
    for (int i = 0; i < 32; i++) {
      holders[i] = new HoldingDestination();
      fixture.submit(ByteRange.from(0), holders[i]);
    }
    FakeCall call = fixture.call();
    for (int i = 0; i < 32; i++) {
      call.answer(TestObject.of(object.chunk(call.range(i).getReadId(), 0, 64 << 10).build()));
    }
    assertEquals(0, call.demand(), "32 messages are held");
    return holders;
  }

  @Test
  void silenceDoesNotCountWhileNoDestinationTakesData() {
    SessionFixture fixture = SessionFixture.open(object);
    HoldingDestination[] holders = fillUp(fixture);
    FakeCall call = fixture.call();
    fixture.loop.advance(Duration.ofSeconds(30 * 60 + 20));
    assertFalse(call.isOver());
    // From the moment that data may come again it does.
    for (HoldingDestination holder : holders) {
      fixture.loop.run(holder::letGo);
    }
    fixture.settle();
    assertTrue(call.demand() > 0);
    fixture.loop.advance(Duration.ofSeconds(29));
    assertFalse(call.isOver(), "silent for 29 s, not for half an hour");
    fixture.loop.advance(Duration.ofSeconds(31));
    assertTrue(call.isOver());
    fixture.finish();
  }

  @Test
  void aReopenWhileNothingCanBeTakenDoesNotTimeOut() {
    SessionFixture fixture = SessionFixture.open(object);
    fillUp(fixture);
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.loop.advance(Duration.ofMinutes(9));
    fixture.transport.assertCalls(2);
    assertFalse(fixture.call().isOver());
    fixture.finish();
  }

  @Test
  void aRangeThatGetsOnlyEmptyChunksEnds() {
    TestObject object = new TestObject(100, true, 1);
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 120 && !read.isEnded(); i++) {
      long id = fixture.call().range(0).getReadId();
      fixture.call().answer(TestObject.of(TestObject.rangeEnd(id).setRangeEnd(false).build()));
      fixture.advance(Duration.ofSeconds(10));
    }
    read.failure(RangeTimeoutException.class);
    fixture.finish();
  }

  @Test
  void aRangeThatGetsOnlyBytesItHasEnds() {
    TestObject object = new TestObject(100, true, 1);
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 120 && !read.isEnded(); i++) {
      long id = fixture.call().range(0).getReadId();
      fixture.call().answer(TestObject.of(object.chunk(id, 0, 4).build()));
      fixture.advance(Duration.ofSeconds(10));
    }
    read.failure(RangeTimeoutException.class);
    fixture.finish();
  }

  @Test
  void aTransportThatTakesNoRequestIsAStall() {
    SessionFixture fixture = SessionFixture.open(new TestObject(100, true, 1));
    fixture.advance(Duration.ofHours(1));
    fixture.call().makeBusy();
    FakeCall first = fixture.call();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.advance(Duration.ofSeconds(29));
    assertFalse(first.isOver());
    fixture.read(ByteRange.of(10, 10));
    fixture.advance(Duration.ofSeconds(2));
    assertTrue(first.isOver(), "stalled though only ranges that were never sent wait");
    fixture.advance(Duration.ofMinutes(1));
    assertEquals(2, fixture.call().ranges().size());
    assertFalse(read.isEnded());
    fixture.finish();
  }
}
