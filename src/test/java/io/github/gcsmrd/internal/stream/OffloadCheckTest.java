// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static io.github.gcsmrd.internal.stream.OffloadFixture.MIB;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.IncompleteRangeException;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.ManualWorkers;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Held chunks and those behind them, of which some fail their checks. */
class OffloadCheckTest {
  private static final int LARGE = MIB;

  private final TestObject object = new TestObject(6 * MIB, true, 21);
  private final OffloadFixture fixture = new OffloadFixture(object);

  @ParameterizedTest
  @ValueSource(ints = {100, LARGE})
  void aValidHeldChunkIsInTheBufferBeforeTheCorruptTailIsReported(int tail) {
    OffloadFixture strict = new OffloadFixture(object, 0);
    ByteBuffer buffer = ByteBuffer.allocate(3 * MIB);
    TestRead read = strict.read(ByteRange.of(0, 3 * MIB), buffer);
    strict.answer(strict.chunk(0, 0, MIB));
    strict.answer(strict.corrupt(0, MIB, tail));
    strict.base.settle();
    assertFalse(read.isEnded(), "reported before the chunk ahead of it was checked");
    strict.hashAll();
    DataCorruptionException failure = read.failure(DataCorruptionException.class);
    assertEquals(MIB, failure.offset());
    assertEquals(MIB, failure.context().bytesDelivered());
    strict.assertBytes(buffer, 0, MIB);
    strict.finish();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, LARGE})
  void aCorruptHeldChunkIsReportedRatherThanTheCorruptTail(int tail) {
    OffloadFixture strict = new OffloadFixture(object, 0);
    TestRead read = strict.reads(ByteRange.of(0, 3 * MIB))[0];
    strict.answer(strict.corrupt(0, 0, MIB));
    strict.answer(strict.corrupt(0, MIB, tail));
    strict.hashAll();
    DataCorruptionException failure = read.failure(DataCorruptionException.class);
    assertEquals(0, failure.offset());
    assertEquals(0, failure.context().bytesDelivered());
    strict.finish();
  }

  @Test
  void aMismatchDropsAllBehindItAndAsksForEachRangeAgainFromItsDeliveredBytes() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 3 * MIB), ByteRange.of(3 * MIB, 2 * MIB));
    TestRead bystander = fixture.reads(ByteRange.of(5 * MIB, MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    fixture.answer(fixture.corrupt(0, MIB, MIB));
    fixture.answer(fixture.chunk(1, 4 * MIB, MIB).setRangeEnd(true));
    fixture.answer(fixture.chunk(2, 5 * MIB, MIB));
    long oldId = fixture.call().range(0).getReadId();
    fixture.hash(2);
    fixture.hash(1);
    assertEquals(3, fixture.call().ranges().size());
    fixture.hash(0);
    assertEquals(5, fixture.call().ranges().size());
    fixture.assertAsked(3, MIB, 2 * MIB);
    fixture.assertAsked(4, 4 * MIB, MIB);
    assertEquals(1, fixture.base.transport.memoriesHeld(), "only the other call's chunk");
    fixture.call().answer(TestObject.of(object.chunk(oldId, 2 * MIB, MIB).build()));
    assertEquals(1, fixture.base.transport.memoriesHeld(), "a late chunk of the old id");
    fixture.assertDelivered(reads[0], MIB);
    fixture.hash(4);
    bystander.assertBytes(object.bytes(5 * MIB, 6 * MIB));
    fixture.answerWhole(3);
    reads[0].assertBytes(object.bytes(0, 3 * MIB));
    reads[1].assertBytes(object.bytes(3 * MIB, 5 * MIB));
    assertEquals(0, reads[1].read().progress().repairs(), "it did nothing wrong");
    fixture.finish();
  }

  @Test
  void theRepairBudgetCountsHeldChunksAsInlineOnes() {
    TestRead read = fixture.reads(ByteRange.of(0, MIB))[0];
    for (int i = 0; i <= SessionLimits.DEFAULT_MAX_REPAIRS; i++) {
      assertFalse(read.isEnded());
      fixture.answer(fixture.corrupt(i, 0, MIB));
      fixture.hashAll();
    }
    DataCorruptionException failure = read.failure(DataCorruptionException.class);
    assertEquals(0, failure.offset());
    assertEquals(SessionLimits.DEFAULT_MAX_REPAIRS + 1, fixture.call().ranges().size());
    fixture.finish();
  }

  @Test
  void aHashThatBeganWhenItsChunkIsDroppedKeepsTheMemory() {
    OffloadFixture[] running = new OffloadFixture[1];
    ManualWorkers workers = new ManualWorkers();
    int[] hashes = {0};
    HashPool pool =
        new HashPool(
            workers,
            content -> {
              byte[] before = content.toByteArray(0, content.length());
              if (hashes[0]++ == 0) {
                running[0].base.close();
                assertEquals(1, running[0].base.transport.memoriesHeld());
              }
              assertArrayEquals(before, content.toByteArray(0, content.length()));
              return 0;
            });
    running[0] = new OffloadFixture(object, pool);
    TestRead[] reads = running[0].reads(ByteRange.of(0, 2 * MIB));
    running[0].answer(running[0].chunk(0, 0, MIB));
    running[0].answer(running[0].chunk(0, MIB, MIB));
    workers.run(0);
    assertEquals(0, running[0].base.transport.memoriesHeld());
    workers.run(1);
    assertEquals(1, hashes[0], "the second was cancelled before it began");
    reads[0].failure(SessionClosedException.class);
    running[0].finish();
  }

  @Test
  void aFailedByteCountDropsTheOtherHeldChunks() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, MIB));
    fixture.answer(fixture.chunk(0, 0, MIB).setRangeEnd(true));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB).setRangeEnd(true));
    fixture.hash(0);
    fixture.assertDelivered(reads[0], MIB);
    fixture.assertDelivered(reads[1], 0);
    assertEquals(0, fixture.base.transport.memoriesHeld(), "the other's hash was cancelled");
    fixture.assertAsked(2, MIB, MIB);
    fixture.assertAsked(3, 3 * MIB, MIB);
    fixture.answerWhole(2);
    reads[0].assertBytes(object.bytes(0, 2 * MIB));
    reads[1].assertBytes(object.bytes(3 * MIB, 4 * MIB));
    fixture.finish();
  }

  @Test
  void aFailedByteCountIsReportedAfterTheChunksBeforeIt() {
    OffloadFixture strict = new OffloadFixture(object, 0);
    TestRead[] reads = strict.reads(ByteRange.of(0, MIB), ByteRange.of(3 * MIB, MIB));
    strict.answer(strict.chunk(0, 0, MIB));
    strict.answer(strict.chunk(1, 3 * MIB, 50));
    strict.answer(strict.end(1));
    strict.base.settle();
    assertFalse(reads[1].isEnded());
    strict.hashAll();
    reads[0].assertBytes(object.bytes(0, MIB));
    reads[1].failure(IncompleteRangeException.class);
    strict.finish();
  }

  @Test
  void aWholeObjectThatDoesNotMatchDropsTheOtherHeldChunks() {
    TestRead[] reads = fixture.reads(ByteRange.all(), ByteRange.of(0, MIB));
    for (int i = 0; i < 6; i++) {
      byte[] bytes = object.bytes((long) i * MIB, (long) (i + 1) * MIB);
      bytes[77] ^= 1;
      fixture.answer(TestObject.chunk(fixture.call().range(0).getReadId(), (long) i * MIB, bytes));
    }
    fixture.answer(fixture.end(0));
    fixture.answer(fixture.chunk(1, 0, MIB).setRangeEnd(true));
    for (int i = 5; i >= 0; i--) {
      assertFalse(reads[0].isEnded());
      fixture.hash(i);
    }
    reads[0].failure(DataCorruptionException.class);
    fixture.assertDelivered(reads[1], 0);
    assertEquals(0, fixture.base.transport.memoriesHeld());
    fixture.assertAsked(2, 0, MIB);
    fixture.answerWhole(2);
    reads[1].assertBytes(object.bytes(0, MIB));
    fixture.finish();
  }

  @Test
  void aWorkerThatThrowsEmptiesTheQueueAndIsReportedOnce() {
    ManualWorkers workers = new ManualWorkers();
    Error thrown = new StackOverflowError("in the test");
    boolean[] healthy = {false};
    HashPool pool =
        new HashPool(
            workers,
            content -> {
              if (!healthy[0]) {
                throw thrown;
              }
              return TestObject.crc(content.toByteArray(0, content.length()));
            });
    OffloadFixture failing = new OffloadFixture(object, pool);
    TestRead[] reads = failing.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, MIB + 50));
    failing.answer(failing.chunk(0, 0, MIB));
    failing.answer(failing.chunk(1, 3 * MIB, MIB));
    failing.answer(failing.chunk(0, MIB, MIB));
    failing.answer(failing.chunk(1, 4 * MIB, 50));
    workers.run(1);
    failing.base.settle();
    workers.run(0);
    failing.base.settle();
    assertSame(thrown, reads[0].failure(RangeException.class).getCause());
    assertEquals(0, failing.base.transport.memoriesHeld());
    assertFalse(reads[1].isEnded());
    failing.assertAsked(2, 3 * MIB, MIB + 50);
    workers.runAll();
    healthy[0] = true;
    failing.answer(failing.chunk(2, 3 * MIB, MIB + 50));
    workers.runAll();
    failing.base.settle();
    reads[1].assertBytes(object.bytes(3 * MIB, 4 * MIB + 50));
    reads[0].assertOnce();
    failing.finish();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aWrongOffsetIsFoundOnArrivalAndReportedInTurn(long shift) {
    OffloadFixture strict = new OffloadFixture(object, 0);
    TestRead read = strict.reads(ByteRange.of(0, 3 * MIB))[0];
    strict.answer(strict.chunk(0, 0, MIB));
    strict.answer(strict.chunk(0, MIB, MIB));
    if (shift > 0) {
      strict.answer(strict.chunk(0, 2 * MIB + shift, 100));
    } else {
      strict.answer(
          strict
              .chunk(0, 0, 100)
              .setReadRange(strict.call().range(0).toBuilder().setReadOffset(-5)));
    }
    strict.base.settle();
    assertFalse(read.isEnded());
    strict.hash(1);
    assertFalse(read.isEnded());
    strict.hash(0);
    RangeException failure = read.failure(RangeException.class);
    assertTrue(failure.getMessage().contains("expected offset " + 2 * MIB), failure.getMessage());
    assertEquals(2 * MIB, failure.context().bytesDelivered());
    strict.finish();
  }

  @Test
  void anOverlapOfHeldBytesIsCutByWhatWasReceived() {
    TestRead read = fixture.reads(ByteRange.of(0, 2 * MIB + 10))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(0, MIB - 1000, MIB + 1000));
    fixture.answer(fixture.chunk(0, 2 * MIB, 10));
    fixture.hash(1);
    fixture.assertDelivered(read, 0);
    fixture.hash(0);
    read.assertBytes(object.bytes(0, 2 * MIB + 10));
    fixture.finish();
  }

  @Test
  void aWrongOffsetDropsNothingOfOtherRanges() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, 2 * MIB));
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(0, MIB + 1, MIB - 1));
    fixture.answer(fixture.chunk(1, 3 * MIB, MIB));
    fixture.answer(fixture.chunk(1, 4 * MIB, MIB));
    fixture.hashAll();
    reads[1].assertBytes(object.bytes(3 * MIB, 5 * MIB));
    assertEquals(3, fixture.call().ranges().size());
    fixture.assertAsked(2, MIB, MIB);
    fixture.answerWhole(2);
    reads[0].assertBytes(object.bytes(0, 2 * MIB));
    fixture.finish();
  }

  @Test
  void aCorruptHeldChunkIsReportedRatherThanAWrongOffset() {
    OffloadFixture strict = new OffloadFixture(object, 0);
    TestRead read = strict.reads(ByteRange.of(0, 3 * MIB))[0];
    strict.answer(strict.corrupt(0, 0, MIB));
    strict.answer(strict.chunk(0, MIB + 1, 100));
    strict.hashAll();
    assertEquals(0, read.failure(DataCorruptionException.class).offset());
    strict.finish();
  }

  @Test
  void bytesBeyondTheObjectDropTheOtherHeldChunks() {
    TestRead[] reads = fixture.reads(ByteRange.from(4 * MIB), ByteRange.of(0, MIB));
    byte[] beyond = Arrays.copyOf(object.bytes(5 * MIB, 6 * MIB), MIB + 5);
    fixture.answer(fixture.chunk(0, 4 * MIB, MIB));
    fixture.answer(TestObject.chunk(fixture.call().range(0).getReadId(), 5 * MIB, beyond));
    fixture.answer(fixture.chunk(1, 0, MIB));
    fixture.hash(2);
    fixture.hash(1);
    fixture.hash(0);
    fixture.assertDelivered(reads[0], MIB);
    fixture.assertDelivered(reads[1], 0);
    assertEquals(0, fixture.base.transport.memoriesHeld());
    fixture.assertAsked(2, 5 * MIB, 0);
    fixture.assertAsked(3, 0, MIB);
    fixture.answerWhole(2);
    reads[0].assertBytes(object.bytes(4 * MIB, 6 * MIB));
    reads[1].assertBytes(object.bytes(0, MIB));
    fixture.finish();
  }
}
