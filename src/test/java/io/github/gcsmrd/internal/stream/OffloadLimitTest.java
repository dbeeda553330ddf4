// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.wire.HoldLimit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Chunks that would be hashed off the loop, once no more memory may be held for that. */
class OffloadLimitTest {
  private static final int CHUNK = 100_000;
  private static final int CHUNKS = 48;

  private final TestObject object = new TestObject(CHUNKS * CHUNK, true, 21);
  private final OffloadFixture fixture = OffloadFixture.withThreshold(object, CHUNK);

  private void limitChunks(int chunks) {
    // Each comes with a few bytes around it.
    fixture.base.transport.limitBytes(chunks * (CHUNK + 1_000L));
  }

  private void answer(int firstChunk, int count) {
    ObjectRangeData.Builder[] chunks = new ObjectRangeData.Builder[count];
    for (int i = 0; i < count; i++) {
      chunks[i] = fixture.chunk(0, (firstChunk + i) * (long) CHUNK, CHUNK);
    }
    fixture.answer(chunks);
  }

  @Test
  void bytesThatNobodyKeepsAskForNothing() {
    AtomicInteger looks = new AtomicInteger();
    fixture.base.transport.limit(new HoldLimit(1, looks::incrementAndGet));
    fixture.offload.set(false);
    TestRead read = fixture.reads(ByteRange.of(0, 3 * CHUNK))[0];
    answer(0, 1);
    answer(1, 2);
    fixture.base.settle();
    read.assertBytes(object.bytes(0, 3 * CHUNK));
    assertEquals(0, looks.get());
    fixture.finish();
  }

  @Test
  void withoutRoomEveryChunkIsHashedOnTheLoopAtOnce() {
    limitChunks(0);
    TestRead read = fixture.reads(ByteRange.of(0, 3 * CHUNK))[0];
    for (int i = 0; i < 3; i++) {
      answer(i, 1);
      fixture.assertDelivered(read, (i + 1L) * CHUNK);
    }
    assertEquals(0, fixture.workers.size());
    fixture.base.settle();
    read.assertBytes(object.bytes(0, 3 * CHUNK));
    fixture.finish();
  }

  @Test
  void whatComesBehindHeldChunksIsHashedAtOnceAndWaitsAsACopy() {
    limitChunks(2);
    TestRead read = fixture.reads(ByteRange.of(0, 5 * CHUNK))[0];
    for (int i = 0; i < 5; i++) {
      answer(i, 1);
    }
    assertEquals(2, fixture.workers.size());
    assertEquals(2, fixture.base.transport.memoriesHeld());
    fixture.assertDelivered(read, 0);
    fixture.hash(1);
    fixture.assertDelivered(read, 0);
    fixture.hash(0);
    read.assertBytes(object.bytes(0, 5 * CHUNK));
    fixture.finish();
  }

  @Test
  void copiesCountAgainstTheBoundOfACallAndOfItsStream() {
    limitChunks(1);
    TestRead read = fixture.reads(ByteRange.of(0, CHUNKS * CHUNK))[0];
    for (int i = 0; i < CHUNKS; i++) {
      answer(i, 1);
    }
    assertEquals(1, fixture.workers.size());
    assertEquals(0, fixture.call().demand());
    assertTrue(fixture.call().waiting() >= CHUNKS - 32, () -> "taken: " + fixture.call());
    fixture.hash(0);
    fixture.hashAll();
    read.assertBytes(object.bytes(0, CHUNKS * CHUNK));
    fixture.finish();
  }

  @Test
  void whatIsBeyondAFullCallLeavesItsMessageAsACopy() {
    limitChunks(1);
    TestRead read = fixture.reads(ByteRange.of(0, CHUNKS * CHUNK))[0];
    answer(0, 1);
    answer(1, CHUNKS - 1);
    assertEquals(1, fixture.workers.size());
    assertEquals(1, fixture.base.transport.memoriesHeld());
    fixture.assertDelivered(read, 0);
    fixture.hash(0);
    read.assertBytes(object.bytes(0, CHUNKS * CHUNK));
    assertEquals(1, fixture.workers.size());
    fixture.finish();
  }

  @Test
  void aCorruptCopyTakesItsTurnAndIsAskedForAgain() {
    limitChunks(1);
    TestRead read = fixture.reads(ByteRange.of(0, 3 * CHUNK))[0];
    answer(0, 1);
    fixture.answer(fixture.corrupt(0, CHUNK, CHUNK));
    answer(2, 1);
    fixture.assertDelivered(read, 0);
    fixture.hash(0);
    fixture.assertDelivered(read, CHUNK);
    fixture.assertAsked(1, CHUNK, 2 * CHUNK);
    fixture.answerWhole(1);
    read.assertBytes(object.bytes(0, 3 * CHUNK));
    fixture.finish();
  }

  @Test
  void aCloseDropsCopiesAndHeldChunks() {
    limitChunks(2);
    TestRead read = fixture.reads(ByteRange.of(0, CHUNKS * CHUNK))[0];
    answer(0, 1);
    answer(1, 40);
    fixture.assertDelivered(read, 0);
    fixture.finish();
  }
}
