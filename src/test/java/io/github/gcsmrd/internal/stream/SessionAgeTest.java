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
import io.github.gcsmrd.internal.read.LoopSinkDestination;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Sessions that live long, and ranges that wait long, for one thing and then another. */
class SessionAgeTest {
  private final TestObject wide = new TestObject(100_000, true, 6);
  private final TestObject large = new TestObject(4 << 20, true, 9);
  private final TestObject object = new TestObject(1_000, true, 9);

  /** A session that lives for days: each of its handles grows old. */
  @Test
  void aSecondHandleThatGrewOldIsDroppedToo() {
    SessionFixture fixture = SessionFixture.open(object);
    for (int round = 0; round < 2; round++) {
      fixture.call().answer(TestObject.handle((byte) (round + 1)));
      TestRead read = fixture.read(ByteRange.of(0, 100));
      fixture.call().end(StatusCode.UNAVAILABLE);
      fixture.advance(Duration.ofSeconds(2));
      assertTrue(fixture.call().spec().hasReadHandle(), "round " + round);
      fixture.call().end(StatusCode.NOT_FOUND);
      fixture.settle();
      assertFalse(read.isEnded(), () -> "the handle was refused, not the object: " + read);
      assertFalse(fixture.call().spec().hasReadHandle());
      assertEquals(TestObject.GENERATION, fixture.call().spec().getGeneration());
      fixture.call().answer(object.metadata());
      fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
      fixture.settle();
      read.assertBytes(object.bytes(0, 100));
      fixture.advance(Duration.ofHours(1));
    }
    fixture.finish();
  }

  /** It waited for memory for nearly the limit, got it, and now waits for its stream. */
  @Test
  void aRangeThatMayHaveMemoryIsNotFailedForTheLackOfIt() {
    SessionFixture fixture = SessionFixture.open(object);
    long all = fixture.credit.freeBytes();
    fixture.credit.take(all);
    TestRead read = fixture.sink(ByteRange.of(0, 100), chunk -> {});
    fixture.advance(Duration.ofMinutes(9).plusSeconds(55));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.transport.readyAtOnce(false);
    fixture.loop.run(() -> fixture.credit.give(all));
    fixture.settle();
    fixture.transport.assertCalls(2);
    fixture.advance(Duration.ofSeconds(10));
    assertFalse(read.isEnded(), () -> "memory was there since 10 s: " + read);
    fixture.call().makeReady();
    fixture.call().answer(object.metadata());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    assertEquals(100, read.result().length());
    fixture.finish();
  }

  /** The stream goes on for others; nothing is missing but the word. */
  @Test
  void aWholeFinalObjectIsOverWithItsLastByteThoughTheServerNeverSaysSo() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.all());
    long id = fixture.call().range(0).getReadId();
    fixture.call().answer(TestObject.of(object.chunk(id, 0, 1_000).build()));
    fixture.settle();
    for (int i = 0; i < 40 && !read.isEnded(); i++) {
      TestRead other = fixture.read(ByteRange.of(0, 10));
      fixture
          .call()
          .answer(
              TestObject.of(
                  object.whole(fixture.call().range(fixture.call().ranges().size() - 1))));
      fixture.settle();
      other.assertBytes(object.bytes(0, 10));
      fixture.advance(Duration.ofSeconds(20));
    }
    assertTrue(read.isEnded());
    read.assertBytes(object.bytes(0, 1_000));
    fixture.finish();
  }

  /** A long range of which bytes came isn't out of range: it must not hold up the session. */
  @Test
  void aSuspectThatGotBytesIsCleared() {
    SessionFixture fixture = SessionFixture.open(large);
    fixture.submit(ByteRange.all(), new LoopSinkDestination(chunk -> {}));
    fixture.read(ByteRange.from(5L << 20));
    fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.settle();
    FakeCall call = fixture.call();
    assertEquals(1, call.ranges().size(), "one at a time");
    call.answer(large.metadata());
    fixture.read(ByteRange.of(20, 10));
    for (int i = 0; i < 30; i++) {
      call.answer(TestObject.of(large.chunk(call.range(0).getReadId(), i * 1_000L, 1_000).build()));
      fixture.advance(Duration.ofMinutes(1).dividedBy(3));
    }
    assertTrue(call.ranges().size() > 1, "10 minutes with bytes, and nobody else was asked for");
  }

  /** 25 s of rest are no silence of the server. */
  @Test
  void aRangeThatCannotBeSentForFiveSecondsIsNoStall() {
    SessionFixture fixture = SessionFixture.open(large);
    TestRead first = fixture.read(ByteRange.of(0, 10));
    fixture.call().answer(TestObject.of(large.whole(fixture.call().range(0))));
    fixture.settle();
    first.assertBytes(large.bytes(0, 10));
    fixture.advance(Duration.ofSeconds(25));
    FakeCall call = fixture.call();
    call.makeBusy();
    fixture.read(ByteRange.of(10, 10));
    fixture.advance(Duration.ofSeconds(6));
    assertFalse(call.isOver(), () -> "cancelled: " + call.cancelReason());
    fixture.finish();
  }

  @Test
  void renewalsThatCountAsFailuresWaitAsThePolicySays() {
    TestObject object = new TestObject(100, true, 9);
    SessionFixture fixture = new SessionFixture();
    fixture.start(
        SessionFixture.config(),
        new CredentialsRenewal() {
          @Override
          public boolean isPossible() {
            return true;
          }

          @Override
          public void renew(Consumer<Boolean> then) {
            then.accept(true);
          }
        });
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 50 && !read.isEnded(); i++) {
      if (!fixture.call().isOver()) {
        fixture.call().answer(object.metadata());
        fixture.call().end(StatusCode.UNAUTHENTICATED);
        fixture.settle();
      }
    }
    assertFalse(read.isEnded(), () -> "the whole budget was used up without a delay: " + read);
  }

  /** A stale handle is refused while nobody waits any more: no reason to end the session. */
  @Test
  void b103_aHandleRefusedAfterTheOnlyRangeWasCancelledIsDropped() {
    SessionFixture fixture = SessionFixture.open(wide);
    fixture.call().answer(TestObject.handle((byte) 1));
    fixture.call().end(StatusCode.OK);
    TestRead cancelled = fixture.read(ByteRange.of(0, 10));
    assertEquals(1, fixture.call().spec().getReadHandle().getHandle().size());
    fixture.cancel(cancelled);
    fixture.call().end(StatusCode.NOT_FOUND);
    fixture.settle();
    TestRead read = fixture.read(ByteRange.of(20, 10));
    fixture.settle();
    assertFalse(read.isEnded(), () -> String.valueOf(read));
    fixture.call().answer(wide.metadata());
    fixture.call().answer(TestObject.of(wide.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(wide.bytes(20, 30));
    fixture.finish();
  }

  /** Streams that come and go do not excuse each other. */
  @Test
  void aRangeThatStarvesBesideANeighbourEndsThoughStreamsComeAndGo() {
    SessionFixture fixture = SessionFixture.open(wide);
    TestRead starved = fixture.read(ByteRange.of(0, 10));
    TestRead neighbour = fixture.read(ByteRange.of(1_000, 90_000));
    int at = 1_000;
    for (int i = 0; i < 30 && !starved.isEnded(); i++) {
      for (int k = 0; k < 24; k++) {
        fixture.advance(Duration.ofSeconds(20));
        long id =
            fixture.call().ranges().stream()
                .filter(range -> range.getReadOffset() >= 1_000)
                .findFirst()
                .orElseThrow()
                .getReadId();
        fixture.call().answer(TestObject.of(wide.chunk(id, at++, 1).build()));
      }
      fixture.call().end(StatusCode.UNAVAILABLE);
      fixture.advance(Duration.ofSeconds(1));
      fixture.call().answer(wide.metadata());
    }
    assertFalse(neighbour.isEnded());
    starved.failure(RangeTimeoutException.class);
  }

  /** Nobody took anything for a while; that is no silence of the server. */
  @Test
  void timeInWhichTheClientTookNothingDoesNotCountAsSilence() {
    SessionFixture fixture = SessionFixture.open(wide);
    HoldingDestination holding = new HoldingDestination();
    fixture.submit(ByteRange.of(1_000, 90_000), holding);
    TestRead waiting = fixture.read(ByteRange.of(0, 10));
    long id = fixture.call().range(0).getReadId();
    for (int i = 0; fixture.call().demand() > 0; i++) {
      fixture.call().answer(TestObject.of(wide.chunk(id, 1_000 + i, 1).build()));
    }
    fixture.advance(Duration.ofMinutes(30));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.loop.run(holding::letGo);
    fixture.advance(Duration.ofSeconds(1));
    fixture.call().answer(wide.metadata());
    for (int i = 0; i < 4; i++) {
      fixture.advance(Duration.ofSeconds(20));
      fixture.call().bytes();
    }
    assertFalse(waiting.isEnded(), waiting::toString);
    fixture.finish();
  }

  /** A TiB was given up beside the range that ends well. */
  @Test
  void rule37_aStreamThatOwesOnlyWhatWasGivenUpEndsWithTheLastRangeToo() {
    SessionFixture fixture = SessionFixture.open(large);
    TestRead huge = fixture.read(ByteRange.of(0, 1L << 40));
    TestRead small = fixture.read(ByteRange.of(5, 10));
    FakeCall call = fixture.call();
    fixture.cancel(huge);
    assertFalse(call.isOver(), "another range is waited for");
    call.answer(TestObject.of(large.whole(call.range(1))));
    fixture.settle();
    small.assertBytes(large.bytes(5, 15));
    assertTrue(call.isOver());
    TestRead next = fixture.read(ByteRange.of(0, 10));
    fixture.call().answer(TestObject.of(large.whole(fixture.call().range(0))));
    fixture.settle();
    next.assertBytes(large.bytes(0, 10));
    fixture.finish();
  }

  /** The same when the last range pauses, since its sink holds all it may. */
  @Test
  void rule37_aStreamThatOwesOnlyWhatWasGivenUpEndsWhenTheLastRangePausesToo() {
    TestObject long9 = new TestObject(9 << 20, true, 9);
    SessionFixture fixture = SessionFixture.open(long9);
    TestRead huge = fixture.read(ByteRange.of(0, 1L << 40));
    TestRead slow = fixture.sink(ByteRange.of(0, 9L << 20), chunk -> {});
    FakeCall call = fixture.call();
    fixture.cancel(huge);
    call.answer(TestObject.of(long9.whole(call.range(1))));
    fixture.loop.runTasks();
    assertTrue(call.isOver(), "its sink has all of its credit");
    fixture.settle();
    fixture.call().answer(TestObject.of(long9.whole(fixture.call().range(0))));
    fixture.settle();
    assertEquals(9L << 20, slow.result().length());
    fixture.finish();
  }

  /** A long outage is the session's to judge, not the silence of one range. */
  @Test
  void opensThatWereNotAnsweredDoNotCountAsSilence() {
    RetryPolicy patient =
        RetryPolicy.builder()
            .jitter(false)
            .maxAttempts(1_000)
            .maxElapsed(Duration.ofDays(1))
            .build();
    SessionFixture fixture =
        new SessionFixture().start(SessionFixture.config(patient, SessionLimits.defaults()));
    fixture.call().answer(wide.metadata());
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofHours(1));
    while (fixture.call().isOver()) {
      fixture.advance(Duration.ofSeconds(1));
    }
    FakeCall answered = fixture.call();
    answered.answer(wide.metadata());
    for (int i = 0; i < 4; i++) {
      fixture.advance(Duration.ofSeconds(20));
      answered.bytes();
    }
    answered.answer(TestObject.of(wide.whole(answered.range(0))));
    fixture.settle();
    read.assertBytes(wide.bytes(0, 10));
    fixture.finish();
  }
}
