// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.ReadCall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranges that change streams, and the streams that they leave. */
class StreamSetMoveTest {
  private final TestObject object = new TestObject(9 << 20, true, 3);

  private static int asked(StreamSetFixture fixture, int stream) {
    return fixture.call(stream).ranges().size();
  }

  private static TestRead[] small(int count) {
    TestRead[] reads = new TestRead[count];
    for (int i = 0; i < count; i++) {
      reads[i] = new TestRead(ByteRange.of(i, 10), new GrowingDestination(10), true);
    }
    return reads;
  }

  private StreamSetFixture twoOpen() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 2, 2);
    fixture.call(1).answer(object.metadata());
    fixture.settle();
    return fixture;
  }

  /** It waits where it went to, as it waited where it came from: only one of both may ask. */
  @Test
  void aRangeThatLeftIsNotAskedForWhereItWas() {
    StreamSetFixture fixture = twoOpen();
    TestRead sink = fixture.sink(ByteRange.of(0, 10));
    fixture.call(1).makeBusy();
    TestRead moves = fixture.read(ByteRange.of(10, 10));
    assertEquals(0, asked(fixture, 1));
    fixture.call(1).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(2, asked(fixture, 0), "handed over");
    TestRead other = fixture.sink(ByteRange.of(20, 10));
    fixture.call(0).makeBusy();
    TestRead waits = fixture.read(ByteRange.of(30, 10));
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(2));
    fixture.answer(0, 0);
    for (int stream = 0; stream < 2; stream++) {
      if (!fixture.call(stream).isOver()) {
        fixture.answer(stream, 0);
      }
    }
    assertEquals(10, sink.result().length());
    assertEquals(10, other.result().length());
    moves.assertBytes(object.bytes(10, 20));
    waits.assertBytes(object.bytes(30, 40));
    fixture.finish();
  }

  @Test
  void aRangeThatWaitsOnTwoStreamsInTurnIsAskedForByTheSecondAlone() {
    StreamSetFixture fixture = twoOpen();
    TestRead sink = fixture.sink(ByteRange.of(0, 10));
    TestRead keeps = fixture.read(ByteRange.of(0, 20));
    fixture.call(0).makeBusy();
    TestRead moves = fixture.read(ByteRange.of(10, 10));
    fixture.call(1).makeBusy();
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(1, asked(fixture, 1), "waits");
    fixture.advance(Duration.ofSeconds(2));
    assertEquals(1, asked(fixture, 0), "the sink alone");
    fixture.answer(0, 0);
    fixture.call(1).makeReady();
    fixture.answer(1, 0);
    assertEquals(10, sink.result().length());
    keeps.assertBytes(object.bytes(0, 20));
    moves.assertBytes(object.bytes(10, 20));
    fixture.finish();
  }

  @Test
  void aSinkFindsAHomeAgainWhenItsStreamIsGoneThoughAnotherWasRefusedJustNow() {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 3);
    fixture.large(3);
    fixture.call(1).answer(object.metadata());
    fixture.call(0).end(StatusCode.PERMISSION_DENIED);
    fixture.call(2).end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    TestRead sink = fixture.sink(ByteRange.of(0, 10));
    assertEquals(4, fixture.transports.size());
    assertEquals(fixture.loops.get(0), fixture.transports.get(3).loop());
    fixture.answer(3, 0);
    assertEquals(10, sink.result().length());
    fixture.finish();
  }

  @Test
  void aSinkThatFindsNoHomeAfterTheCloseFails() {
    StreamSetFixture fixture = twoOpen();
    fixture.call(0).end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    fixture.set.close("closed by the test");
    fixture.settle();
    TestRead sink = fixture.sink(ByteRange.of(0, 10));
    sink.failure();
    fixture.read(ByteRange.of(0, 10)).failure(SessionClosedException.class);
    fixture.finish();
  }

  @Test
  void aRangeOnItsWayToAStreamThatEndsGoesOnToAnother() {
    StreamSetFixture fixture = twoOpen();
    TestRead busy = fixture.read(ByteRange.of(0, 100));
    TestRead[] reads = small(1);
    fixture.set.submit(new ReadCall(List.of(reads[0].read()), ReadCall.NO_TIMEOUT));
    fixture.loops.get(0).runTasks();
    fixture.call(1).end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    assertFalse(reads[0].isEnded(), reads[0]::toString);
    fixture.answer(0, 0);
    fixture.answer(2, 0);
    busy.assertBytes(object.bytes(0, 100));
    reads[0].assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void aRangeThatMovesWithoutAByteEnds() {
    StreamSetFixture fixture = twoOpen();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    int breaks = 0;
    while (!read.isEnded()) {
      assertTrue(breaks < 30, "goes round");
      for (int stream = 0; stream < 2; stream++) {
        if (!fixture.call(stream).isOver() && asked(fixture, stream) > 0) {
          fixture.call(stream).answer(object.metadata());
          fixture.call(stream).end(StatusCode.UNAVAILABLE);
          fixture.settle();
          breaks++;
        }
      }
      fixture.advance(Duration.ofSeconds(40));
      // The streams are found healthy again by whoever reads a little.
      TestRead little = fixture.read(ByteRange.of(0, 1));
      fixture.advance(Duration.ofMillis(10));
      little.abandon();
      fixture.set.abandon(little.read());
      fixture.settle();
    }
    read.failure();
    fixture.finish();
  }

  /** A stream that broke and has nothing to do is opened again by the next work, and then used. */
  @Test
  void aStreamThatBrokeIsUsedAgain() {
    StreamSetFixture fixture = twoOpen();
    TestRead moves = fixture.read(ByteRange.of(0, 10));
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.settle();
    fixture.answer(1, 0);
    moves.assertBytes(object.bytes(0, 10));
    fixture.advance(Duration.ofSeconds(10));
    TestRead first = fixture.read(ByteRange.of(0, 10));
    assertEquals(2, asked(fixture, 1), "not on the one that is being tried");
    assertEquals(2, fixture.transports.get(0).calls().size());
    assertEquals(0, asked(fixture, 0));
    fixture.call(0).answer(object.metadata());
    fixture.settle();
    TestRead second = fixture.read(ByteRange.of(10, 10));
    assertEquals(1, asked(fixture, 0));
    fixture.answer(0, 0);
    fixture.answer(1, 1);
    first.assertBytes(object.bytes(0, 10));
    second.assertBytes(object.bytes(10, 20));
    fixture.finish();
  }

  @Test
  void aStreamThatCanNotBeOpenedAgainIsTriedOnlyNowAndThen() {
    StreamSetFixture fixture = twoOpen();
    fixture.read(ByteRange.of(0, 10));
    fixture.call(0).end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(10));
    for (int i = 0; i < 20; i++) {
      fixture.read(ByteRange.of(i, 10));
      if (!fixture.call(0).isOver()) {
        fixture.call(0).end(StatusCode.UNAVAILABLE);
        fixture.settle();
      }
    }
    assertEquals(2, fixture.transports.get(0).calls().size());
    fixture.answer(1, 0);
    fixture.finish();
  }

  @Test
  void aCallsTimeRunsWhileItsRangesWaitForTheOpen() {
    StreamSetFixture fixture = new StreamSetFixture(object, 2, 2, false);
    TestRead[] reads = small(150);
    fixture.submit(Duration.ofSeconds(5).toNanos(), reads);
    fixture.advance(Duration.ofSeconds(4));
    assertFalse(reads[149].isEnded());
    fixture.advance(Duration.ofSeconds(2));
    for (TestRead read : reads) {
      String text = read.failure(RangeTimeoutException.class).getMessage();
      assertTrue(text.contains("limit of 5"), text);
    }
    fixture.finish();
  }

  @Test
  void aCallIsOneCallOnEachStreamHoweverItsRangesCameThere() {
    StreamSetFixture fixture = new StreamSetFixture(object, 1, 1, false);
    TestRead[] reads = small(150);
    fixture.submit(Duration.ofSeconds(60).toNanos(), reads);
    fixture.call(0).answer(object.metadata());
    fixture.settle();
    assertEquals(150, asked(fixture, 0));
    assertEquals(reads[0].read().call(), reads[149].read().call());
    fixture.answer(0, 0);
    for (int i = 0; i < reads.length; i++) {
      reads[i].assertBytes(object.bytes(i, i + 10));
    }
    fixture.finish();
  }

  @Test
  void eachStreamAsksForItsShareOfWhatACallMayHold() {
    StreamSetFixture fixture = new StreamSetFixture(object, 1, 16, false);
    assertEquals(2, fixture.call(0).demand());
    fixture.finish();
  }
}
