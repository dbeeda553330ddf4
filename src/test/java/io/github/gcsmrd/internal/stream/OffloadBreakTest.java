// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static io.github.gcsmrd.internal.stream.OffloadFixture.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GenerationChangedException;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeNotSatisfiableException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.wire.MalformedResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Held chunks when their stream breaks, or when they are given up. */
class OffloadBreakTest {
  /** More than the first delay, less than the limit of an open. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

  private final TestObject object = new TestObject(6 * MIB, true, 21);
  private final OffloadFixture fixture = new OffloadFixture(object);

  @ParameterizedTest
  @EnumSource(
      value = StatusCode.class,
      names = {"OK", "UNAVAILABLE", "INTERNAL"})
  void aBrokenStreamIsReopenedAfterItsHeldChunksAreSettled(StatusCode code) {
    TestRead read = fullQueue();
    fixture.call().end(code);
    fixture.advance(Duration.ofMinutes(5));
    fixture.base.transport.assertCalls(1);
    fixture.hash(2);
    fixture.hash(1);
    fixture.advance(Duration.ofMinutes(5));
    fixture.base.transport.assertCalls(1);
    fixture.hash(0);
    fixture.hash(3);
    fixture.advance(RETRY_DELAY);
    fixture.base.transport.assertCalls(2);
    fixture.assertAsked(0, 4 * MIB, MIB);
    fixture.answerWhole(0);
    read.assertBytes(object.bytes(0, 5 * MIB));
    fixture.finish();
  }

  /** Four large chunks of five MiB, and as many messages of nothing as fill the bound. */
  private TestRead fullQueue() {
    TestRead read = fixture.reads(ByteRange.of(0, 5 * MIB))[0];
    for (int i = 0; i < 4; i++) {
      fixture.answer(fixture.chunk(0, (long) i * MIB, MIB));
    }
    for (int i = 4; i < StreamFlow.MAX_MESSAGES; i++) {
      fixture.answer(fixture.chunk(0, 4 * MIB, 0));
    }
    assertEquals(0, fixture.call().demand());
    return read;
  }

  @Test
  void aRedirectIsFollowedAfterTheFullQueueIsSettled() {
    TestRead read = fullQueue();
    fixture.call().redirect(Optional.of("token"), Optional.empty());
    fixture.base.transport.assertCalls(1);
    for (int i = 3; i >= 0; i--) {
      fixture.base.transport.assertCalls(1);
      fixture.hash(i);
    }
    fixture.base.transport.assertCalls(2);
    assertEquals(Optional.of("token"), fixture.call().openRequest().routingToken());
    fixture.assertAsked(0, 4 * MIB, MIB);
    fixture.answerWhole(0);
    read.assertBytes(object.bytes(0, 5 * MIB));
    fixture.finish();
  }

  @Test
  void aBrokenStreamWithACorruptHeldChunkResumesBeforeThat() {
    TestRead read = fixture.reads(ByteRange.of(0, 5 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.corrupt(0, MIB, MIB));
    fixture.answer(fixture.chunk(0, 2 * MIB, MIB));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.hashAll();
    fixture.advance(RETRY_DELAY);
    fixture.base.transport.assertCalls(2);
    assertEquals(1, fixture.call().ranges().size(), "asked for once");
    fixture.assertAsked(0, MIB, 4 * MIB);
    fixture.answerWhole(0);
    read.assertBytes(object.bytes(0, 5 * MIB));
    fixture.finish();
  }

  @Test
  void aStreamThatBreaksAfterTheLastHeldChunkIsNotReopened() {
    TestRead read = fixture.reads(ByteRange.of(0, MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.call().end(StatusCode.UNAVAILABLE);
    assertFalse(read.isEnded());
    fixture.hash(0);
    read.assertBytes(object.bytes(0, MIB));
    fixture.advance(Duration.ofMinutes(1));
    fixture.base.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void aRangeErrorWaitsForTheHeldChunks() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, MIB));
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    long id = fixture.call().range(0).getReadId();
    fixture
        .call()
        .rangeErrors(
            StatusCode.PERMISSION_DENIED,
            new StreamEnd.RangeError(id, StatusCode.PERMISSION_DENIED, "not this one"));
    fixture.base.settle();
    assertFalse(reads[0].isEnded());
    fixture.hash(1);
    fixture.hash(0);
    assertEquals(MIB, reads[0].failure(RangeException.class).context().bytesDelivered());
    reads[1].assertBytes(object.bytes(3 * MIB, 4 * MIB));
    fixture.finish();
  }

  @Test
  void anUnnamedRangeErrorIsNotBlamedOnTheOneRangeThatTheDrainLeft() {
    TestObject growing = new TestObject(6 * MIB, false, 22);
    OffloadFixture open = new OffloadFixture(growing);
    TestRead[] reads = open.reads(ByteRange.from(0), ByteRange.from(5 * MIB));
    open.answer(open.chunk(1, 5 * MIB, 100));
    open.answer(open.corrupt(0, 0, MIB));
    open.call().end(StatusCode.OUT_OF_RANGE);
    open.hashAll();
    assertFalse(reads[1].isEnded(), "taken for over, though bytes are missing");
    open.base.transport.assertCalls(2);
    open.answerWhole(0);
    open.answerWhole(1);
    reads[1].assertBytes(growing.bytes(5 * MIB, 6 * MIB));
    reads[0].assertBytes(growing.bytes(0, 6 * MIB));
    open.finish();
  }

  @Test
  void anUnnamedRangeErrorOfATakenBackRangeDoesNotFailTheSession() {
    TestRead read = fixture.reads(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.corrupt(0, 0, MIB));
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.hashAll();
    assertFalse(read.isEnded());
    fixture.base.transport.assertCalls(2);
    fixture.call().end(StatusCode.OUT_OF_RANGE);
    fixture.base.settle();
    read.failure(RangeNotSatisfiableException.class);
    fixture.finish();
  }

  @Test
  void aMalformedMessageWaitsForTheHeldChunks() {
    TestRead read = fixture.reads(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.call().answer(new MalformedResponse("by the test"));
    fixture.advance(RETRY_DELAY);
    fixture.base.transport.assertCalls(1);
    fixture.hash(0);
    fixture.advance(RETRY_DELAY);
    fixture.base.transport.assertCalls(2);
    fixture.assertAsked(0, MIB, MIB);
    fixture.answerWhole(0);
    read.assertBytes(object.bytes(0, 2 * MIB));
    fixture.finish();
  }

  @Test
  void aChangedGenerationIsReportedAfterTheHeldChunks() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, MIB), ByteRange.of(MIB, MIB));
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.call().answer(object.metadata(TestObject.GENERATION + 1));
    fixture.answer(fixture.chunk(1, MIB, MIB));
    fixture.base.settle();
    assertFalse(reads[0].isEnded());
    assertTrue(fixture.call().isOver(), "nothing more is taken from that stream");
    fixture.hash(0);
    reads[0].assertBytes(object.bytes(0, MIB));
    reads[1].failure(GenerationChangedException.class);
    fixture.base.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void aCancelledRangeIsDroppedUnverifiedAndTheOthersGoOn() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, 2 * MIB));
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    fixture.answer(fixture.chunk(0, MIB, MIB));
    fixture.answer(fixture.chunk(1, 4 * MIB, MIB));
    fixture.hash(1);
    fixture.base.cancel(reads[0]);
    fixture.base.settle();
    reads[0].failure(CancellationException.class);
    fixture.assertDelivered(reads[0], 0);
    fixture.assertDelivered(reads[1], MIB);
    assertEquals(1, fixture.base.transport.memoriesHeld());
    fixture.hash(3);
    reads[1].assertBytes(object.bytes(3 * MIB, 5 * MIB));
    fixture.finish();
  }

  @Test
  void aRangeGivenUpByItsUserGetsNothingMoreEvenBeforeTheLoopHearsOfIt() {
    TestRead read = fixture.reads(ByteRange.of(0, 2 * MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    read.abandon();
    fixture.hash(0);
    fixture.assertDelivered(read, 0);
    read.failure(CancellationException.class);
    assertEquals(0, fixture.base.transport.memoriesHeld());
    fixture.finish();
  }

  @Test
  void aCancelWithAFullQueueMakesRoomAtOnce() {
    TestRead read = fullQueue();
    fixture.base.cancel(read);
    assertEquals(StreamFlow.AHEAD, fixture.call().demand());
    assertEquals(0, fixture.base.transport.memoriesHeld());
    fixture.base.settle();
    read.failure(CancellationException.class);
    TestRead next = fixture.reads(ByteRange.of(MIB, 100))[0];
    fixture.answer(fixture.chunk(1, MIB, 100));
    fixture.base.settle();
    next.assertBytes(object.bytes(MIB, MIB + 100));
    fixture.finish();
  }

  @Test
  void aCloseWithAFullQueueDropsItUnverified() {
    TestRead read = fullQueue();
    fixture.hash(3);
    fixture.base.close();
    read.failure(SessionClosedException.class);
    fixture.assertDelivered(read, 0);
    assertEquals(0, fixture.base.transport.memoriesHeld());
    fixture.finish();
  }

  @Test
  void aCloseDeliversNothingThatWaitedBehindADroppedChunk() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, MIB), ByteRange.of(3 * MIB, MIB));
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    fixture.hash(1);
    fixture.base.close();
    reads[0].failure(SessionClosedException.class);
    reads[1].failure(SessionClosedException.class);
    fixture.assertDelivered(reads[1], 0);
    fixture.finish();
  }

  @Test
  void aCloseWhileABrokenStreamSettlesEndsItAll() {
    TestRead read = fullQueue();
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.base.close();
    read.failure(SessionClosedException.class);
    fixture.hashAll();
    fixture.base.transport.assertCalls(1);
    assertTrue(fixture.base.stopped > 0);
    fixture.finish();
  }

  @Test
  void aRangeSubmittedWhileABrokenStreamSettlesGoesOutWithTheNext() {
    TestRead first = fullQueue();
    fixture.call().end(StatusCode.UNAVAILABLE);
    TestRead second = fixture.reads(ByteRange.of(5 * MIB, 100))[0];
    fixture.base.transport.assertCalls(1);
    fixture.hashAll();
    fixture.advance(RETRY_DELAY);
    fixture.base.transport.assertCalls(2);
    assertEquals(2, fixture.call().ranges().size());
    fixture.answerWhole(0);
    first.assertBytes(object.bytes(0, 5 * MIB));
    second.assertBytes(object.bytes(5 * MIB, 5 * MIB + 100));
    fixture.finish();
  }

  @Test
  void heldChunksForASlowSinkAreAskedForInSlicesAndReachItInOrder() {
    int[] bytes = {0};
    TestRead read =
        fixture.base.sink(
            ByteRange.of(0, 6 * MIB),
            chunk -> {
              assertEquals(bytes[0], chunk.offset());
              bytes[0] += chunk.length();
            });
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[6];
    for (int i = 0; i < 6; i++) {
      chunks[i] = fixture.chunk(0, (long) i * MIB, MIB);
    }
    for (ObjectRangeData.Builder chunk : chunks) {
      fixture.answer(chunk);
    }
    fixture.hashAll();
    assertEquals(6 * MIB, read.result().length());
    assertEquals(6 * MIB, bytes[0]);
    fixture.finish();
  }
}
