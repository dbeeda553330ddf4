// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static io.github.gcsmrd.internal.stream.OffloadFixture.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.internal.read.ArrivalLane;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** How much may be held: 32 chunks of a call, and 32 messages of a stream. */
class OffloadBoundTest {
  private static final int ROOM = 64;

  /** A chunk of the tests with many of them, and how many of those a message brings. */
  private static final int CHUNK = 100;

  private static final int IN_A_MESSAGE = 8;

  private final TestObject object = new TestObject(6 * MIB, true, 11);
  private final OffloadFixture fixture = new OffloadFixture(object);
  private final OffloadFixture small =
      OffloadFixture.withThreshold(new TestObject(200 * CHUNK, true, 12), CHUNK);

  /** A message with the next chunks of a range. */
  private void answerEight(int message) {
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[IN_A_MESSAGE];
    for (int i = 0; i < IN_A_MESSAGE; i++) {
      chunks[i] = small.chunk(0, (long) (message * IN_A_MESSAGE + i) * CHUNK, CHUNK);
    }
    small.answer(chunks);
  }

  private TestRead ofEights(int messages) {
    TestRead read = small.reads(ByteRange.of(0, messages * IN_A_MESSAGE * CHUNK))[0];
    for (int i = 0; i < messages; i++) {
      answerEight(i);
    }
    return read;
  }

  private static int held(TestRead read) {
    return read.read().call().lane(null).size();
  }

  @Test
  void thirtyTwoMessagesAreHeldAndTheNextIsNotAskedForUntilTheOldestIsSettled() {
    int chunks = StreamFlow.MAX_MESSAGES + 8;
    TestObject large = new TestObject(chunks * MIB, true, 13);
    OffloadFixture full = new OffloadFixture(large);
    TestRead read = full.reads(ByteRange.of(0, (long) chunks * MIB))[0];
    for (int i = 0; i < chunks; i++) {
      full.answer(full.chunk(0, (long) i * MIB, MIB));
      assertTrue(full.base.transport.memoriesHeld() - full.call().waiting() <= 32);
    }
    assertEquals(32, full.workers.size());
    assertEquals(0, full.call().demand());
    assertEquals(8, full.call().waiting());
    for (int i = 1; i < 20; i++) {
      full.hash(i);
    }
    assertEquals(8, full.call().waiting(), "the oldest still holds up the rest");
    full.assertDelivered(read, 0);
    full.hash(0);
    full.assertDelivered(read, 20L * MIB);
    assertEquals(0, full.call().waiting());
    assertEquals(StreamFlow.AHEAD, full.call().demand());
    full.hashAll();
    read.assertBytes(large.bytes(0, large.size()));
    full.finish();
  }

  @Test
  void aFullQueueOfSmallMessagesBehindALargeOneIsBoundedToo() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, MIB), ByteRange.of(2 * MIB, ROOM * 10));
    fixture.answer(fixture.chunk(0, 0, MIB));
    for (int i = 0; i < ROOM; i++) {
      fixture.answer(fixture.chunk(1, 2 * MIB + i * 10L, 10));
    }
    assertEquals(0, fixture.call().demand());
    assertEquals(ROOM - 31, fixture.call().waiting());
    fixture.hash(0);
    reads[0].assertBytes(object.bytes(0, MIB));
    reads[1].assertBytes(object.bytes(2 * MIB, 2 * MIB + ROOM * 10));
    fixture.finish();
  }

  @Test
  void aFullQueueIsNoStall() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, MIB), ByteRange.of(2 * MIB, ROOM * 10));
    fixture.answer(fixture.chunk(0, 0, MIB));
    for (int i = 0; i < ROOM; i++) {
      fixture.answer(fixture.chunk(1, 2 * MIB + i * 10L, 10));
    }
    fixture.advance(SessionLimits.DEFAULT_STALL_TIMEOUT.multipliedBy(3));
    fixture.base.transport.assertCalls(1);
    assertFalse(fixture.call().isOver());
    fixture.hash(0);
    reads[1].assertBytes(object.bytes(2 * MIB, 2 * MIB + ROOM * 10));
    fixture.finish();
  }

  @Test
  void heldSmallChunksDoNotPinTheirMessages() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, MIB), ByteRange.of(2 * MIB, 3_000));
    fixture.answer(fixture.chunk(0, 0, MIB));
    for (int i = 0; i < 30; i++) {
      fixture.answer(fixture.chunk(1, 2 * MIB + i * 100L, 100));
    }
    assertEquals(1, fixture.base.transport.memoriesHeld());
    fixture.hash(0);
    reads[1].assertBytes(object.bytes(2 * MIB, 2 * MIB + 3_000));
    fixture.finish();
  }

  @Test
  void aCallHoldsThirtyTwoChunksHoweverManyAMessageBrings() {
    TestRead read = ofEights(8);
    assertEquals(32, held(read));
    assertEquals(32, small.workers.size(), "the others are not hashed yet");
    assertEquals(8, small.base.transport.memoriesHeld());
    for (int i = 31; i > 0; i--) {
      small.hash(i);
    }
    assertEquals(32, small.workers.size());
    small.assertDelivered(read, 0);
    small.hash(0);
    small.assertDelivered(read, 32 * CHUNK);
    assertEquals(64, small.workers.size(), "taken out of their messages");
    assertEquals(4, small.base.transport.memoriesHeld());
    for (int i = 32; i < 64; i++) {
      small.hash(i);
      small.assertDelivered(read, (i + 1) * CHUNK);
    }
    read.assertBytes(small.object.bytes(0, 64 * CHUNK));
    small.finish();
  }

  @Test
  void theStreamIsNotAskedForMoreWhileChunksOfAFullCallStayInTheirMessages() {
    TestRead read = ofEights(12);
    assertEquals(0, small.call().demand());
    assertEquals(1, small.call().waiting(), "seven were asked for before the fourth filled it");
    int arrived = 11 * IN_A_MESSAGE;
    for (int i = 0; i < arrived - 32; i++) {
      small.hash(i);
      assertEquals(32, held(read));
      assertEquals(1, small.call().waiting());
    }
    small.hash(arrived - 32);
    assertEquals(0, small.call().waiting(), "the oldest of 32 was settled");
    small.hashAll();
    assertEquals(StreamFlow.AHEAD, small.call().demand());
    read.assertBytes(small.object.bytes(0, 12 * IN_A_MESSAGE * CHUNK));
    small.finish();
  }

  @Test
  void eachCallHoldsThirtyTwoOfItsOwn() {
    TestRead first = small.reads(ByteRange.of(0, 40 * CHUNK))[0];
    TestRead second = small.reads(ByteRange.of(100 * CHUNK, 40 * CHUNK))[0];
    for (int i = 0; i < 40; i++) {
      small.answer(
          small.chunk(0, (long) i * CHUNK, CHUNK), small.chunk(1, (100L + i) * CHUNK, CHUNK));
    }
    assertEquals(32, held(first));
    assertEquals(32, held(second));
    assertEquals(64, small.workers.size());
    assertEquals(32, small.base.transport.memoriesHeld() - small.call().waiting());
    small.hashAll();
    first.assertBytes(small.object.bytes(0, 40 * CHUNK));
    second.assertBytes(small.object.bytes(100 * CHUNK, 140 * CHUNK));
    small.finish();
  }

  @Test
  void aFullCallDoesNotHoldUpAnotherInTheSameMessage() {
    TestRead full = small.reads(ByteRange.of(0, 50 * CHUNK))[0];
    TestRead[] others =
        small.reads(ByteRange.of(100 * CHUNK, CHUNK), ByteRange.of(101 * CHUNK, CHUNK - 1));
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[52];
    for (int i = 0; i < 50; i++) {
      chunks[i] = small.chunk(0, (long) i * CHUNK, CHUNK);
    }
    chunks[50] = small.chunk(2, 101 * CHUNK, CHUNK - 1);
    chunks[51] = small.chunk(1, 100 * CHUNK, CHUNK);
    small.answer(chunks);
    assertEquals(StreamFlow.AHEAD - 1, small.call().demand(), "one of the calls is full");
    small.base.settle();
    others[1].assertBytes(small.object.bytes(101 * CHUNK, 102 * CHUNK - 1));
    assertEquals(33, small.workers.size());
    small.hash(32);
    others[0].assertBytes(small.object.bytes(100 * CHUNK, 101 * CHUNK));
    small.assertDelivered(full, 0);
    assertEquals(32, held(full));
    small.hashAll();
    full.assertBytes(small.object.bytes(0, 50 * CHUNK));
    small.finish();
  }

  @Test
  void smallChunksBeyondThirtyTwoStayInTheirMessageUntilTheirTurn() {
    TestRead[] reads = small.reads(ByteRange.of(0, CHUNK), ByteRange.of(CHUNK, 50 * 10));
    small.answer(small.chunk(0, 0, CHUNK));
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[50];
    for (int i = 0; i < 50; i++) {
      chunks[i] = small.chunk(1, CHUNK + i * 10L, 10);
    }
    small.answer(chunks);
    assertEquals(32, held(reads[0]));
    assertEquals(2, small.base.transport.memoriesHeld());
    small.hash(0);
    reads[1].assertBytes(small.object.bytes(CHUNK, CHUNK + 50 * 10));
    assertEquals(1, small.workers.size());
    small.finish();
  }

  @Test
  void aPoolThatRefusesWhatLeavesItsMessageMeansInlineHashingInOrder() {
    TestRead read = ofEights(6);
    small.workers.refuse(true);
    small.hashAll();
    assertEquals(32, small.workers.size());
    read.assertBytes(small.object.bytes(0, 48 * CHUNK));
    small.finish();
  }

  @Test
  void aMismatchDropsWhatIsInsideMessagesToo() {
    TestRead read = small.reads(ByteRange.of(0, 60 * CHUNK))[0];
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[60];
    for (int i = 0; i < 60; i++) {
      chunks[i] =
          i == 3
              ? small.corrupt(0, (long) i * CHUNK, CHUNK)
              : small.chunk(0, (long) i * CHUNK, CHUNK);
    }
    small.answer(chunks);
    for (int i = 0; i < 4; i++) {
      small.hash(i);
    }
    small.assertDelivered(read, 3 * CHUNK);
    assertEquals(0, held(read));
    assertEquals(0, small.base.transport.memoriesHeld());
    small.assertAsked(1, 3 * CHUNK, 57 * CHUNK);
    small.answerWhole(1);
    read.assertBytes(small.object.bytes(0, 60 * CHUNK));
    small.finish();
  }

  @Test
  void aMismatchInsideAMessageIsFoundInItsTurn() {
    TestRead read = small.reads(ByteRange.of(0, 60 * CHUNK))[0];
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[60];
    for (int i = 0; i < 60; i++) {
      chunks[i] =
          i == 50
              ? small.corrupt(0, (long) i * CHUNK, CHUNK)
              : small.chunk(0, (long) i * CHUNK, CHUNK);
    }
    small.answer(chunks);
    small.hashAll();
    small.assertDelivered(read, 50 * CHUNK);
    small.assertAsked(1, 50 * CHUNK, 10 * CHUNK);
    small.answerWhole(1);
    read.assertBytes(small.object.bytes(0, 60 * CHUNK));
    small.finish();
  }

  @Test
  void aCancelReleasesWhatIsInsideMessagesAndLetsOthersTakeTheRoom() {
    TestRead[] reads =
        small.reads(ByteRange.of(0, 40 * CHUNK), ByteRange.of(100 * CHUNK, 40 * CHUNK));
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[80];
    for (int i = 0; i < 40; i++) {
      chunks[2 * i] = small.chunk(0, (long) i * CHUNK, CHUNK);
      chunks[2 * i + 1] = small.chunk(1, (100L + i) * CHUNK, CHUNK);
    }
    small.answer(chunks);
    small.base.cancel(reads[0]);
    small.base.settle();
    reads[0].failure(CancellationException.class);
    assertEquals(32, held(reads[1]));
    small.hashAll();
    reads[1].assertBytes(small.object.bytes(100 * CHUNK, 140 * CHUNK));
    small.finish();
  }

  /** One range fills the call, another's chunks stay in a message of their own. */
  private TestRead[] twoOfWhichOneStaysInItsMessage(int corrupt) {
    TestRead[] reads =
        small.reads(ByteRange.of(0, 40 * CHUNK), ByteRange.of(100 * CHUNK, 4 * CHUNK));
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[32];
    for (int i = 0; i < 32; i++) {
      chunks[i] =
          i == corrupt
              ? small.corrupt(0, (long) i * CHUNK, CHUNK)
              : small.chunk(0, (long) i * CHUNK, CHUNK);
    }
    small.answer(chunks);
    small.answer(
        small.chunk(1, 100 * CHUNK, 2 * CHUNK),
        small.chunk(1, 102 * CHUNK, 2 * CHUNK).setRangeEnd(true));
    assertEquals(2, small.base.transport.memoriesHeld());
    return reads;
  }

  @Test
  void aRangeThatStaysInItsMessageIsAskedForAgainAfterAMismatchBeforeIt() {
    TestRead[] reads = twoOfWhichOneStaysInItsMessage(0);
    small.hash(0);
    assertEquals(0, small.base.transport.memoriesHeld());
    small.assertAsked(2, 0, 40 * CHUNK);
    small.assertAsked(3, 100 * CHUNK, 4 * CHUNK);
    small.answerWhole(2);
    reads[0].assertBytes(small.object.bytes(0, 40 * CHUNK));
    reads[1].assertBytes(small.object.bytes(100 * CHUNK, 104 * CHUNK));
    small.finish();
  }

  @Test
  void aCancelledRangeThatStaysInItsMessageLetsGoOfItAtOnce() {
    TestRead[] reads = twoOfWhichOneStaysInItsMessage(-1);
    small.base.cancel(reads[1]);
    assertEquals(1, small.base.transport.memoriesHeld());
    small.answerWhole(2);
    small.hashAll();
    small.assertDelivered(reads[0], 32 * CHUNK);
    small.finish();
  }

  @Test
  void aCloseReleasesWhatIsInsideMessages() {
    TestRead read = ofEights(8);
    small.hash(5);
    small.base.close();
    read.failure(SessionClosedException.class);
    small.assertDelivered(read, 0);
    assertEquals(0, small.base.transport.memoriesHeld());
    small.finish();
  }

  @Test
  void aBrokenStreamIsReopenedAfterWhatIsInsideMessagesIsSettled() {
    TestRead read = small.reads(ByteRange.of(0, 100 * CHUNK))[0];
    for (int i = 0; i < 8; i++) {
      answerEight(i);
    }
    small.call().redirect(Optional.of("token"), Optional.empty());
    for (int i = 0; i < 64; i++) {
      small.base.transport.assertCalls(1);
      small.hash(i);
    }
    small.base.transport.assertCalls(2);
    small.assertAsked(0, 64 * CHUNK, 36 * CHUNK);
    small.answerWhole(0);
    read.assertBytes(small.object.bytes(0, 100 * CHUNK));
    small.finish();
  }

  @Test
  void theBoundOfACallIsThatOfAStreamForMessagesOfOneChunk() {
    assertEquals(StreamFlow.MAX_MESSAGES, ArrivalLane.MAX_HELD);
  }
}
