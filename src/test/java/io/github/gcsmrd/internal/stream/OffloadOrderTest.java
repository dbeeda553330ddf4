// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static io.github.gcsmrd.internal.stream.OffloadFixture.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.checksum.ManualWorkers;
import io.github.gcsmrd.internal.read.GrowingDestination;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What is held, and in what order it is delivered. */
class OffloadOrderTest {
  private final TestObject object = new TestObject(6 * MIB, true, 11);
  private final OffloadFixture fixture = new OffloadFixture(object);

  @Test
  void theThresholdIsOneMebibyte() {
    ByteBuffer buffer = ByteBuffer.allocate(2 * MIB);
    TestRead read = fixture.read(ByteRange.of(0, 2 * MIB - 1), buffer);
    fixture.answer(fixture.chunk(0, 0, MIB - 1));
    assertEquals(0, fixture.workers.size(), "1,048,575 bytes are hashed inline");
    fixture.assertDelivered(read, MIB - 1);
    fixture.answer(fixture.chunk(0, MIB - 1, MIB));
    assertEquals(1, fixture.workers.size());
    fixture.assertDelivered(read, MIB - 1);
    fixture.hash(0);
    read.assertBytes(object.bytes(0, 2 * MIB - 1));
    assertTrue(read.result().verified());
    fixture.finish();
  }

  @Test
  void everyOrderOfFiveHashesDeliversInOrder() {
    TestObject small = new TestObject(5 * MIB, true, 12);
    int round = 0;
    for (int[] order : ManualWorkers.orders(5)) {
      // A few of the 120 over whole chunks; the lane's own test has them all.
      if (round++ % 10 == 0) {
        deliversInOrder(new OffloadFixture(small), order);
      }
    }
  }

  private static void deliversInOrder(OffloadFixture fresh, int[] order) {
    TestRead read = fresh.reads(ByteRange.of(0, 5 * MIB))[0];
    for (int i = 0; i < 5; i++) {
      fresh.answer(fresh.chunk(0, (long) i * MIB, MIB));
    }
    boolean[] ended = new boolean[6];
    int delivered = 0;
    for (int index : order) {
      fresh.hash(index);
      ended[index] = true;
      while (ended[delivered]) {
        delivered++;
      }
      fresh.assertDelivered(read, (long) delivered * MIB);
      assertEquals(5 - delivered, fresh.base.transport.memoriesHeld());
    }
    read.assertBytes(fresh.object.bytes(0, 5 * MIB));
    fresh.finish();
  }

  @Test
  void smallChunksAndEndsOfRangesQueueBehindALargeOne() {
    TestRead[] reads =
        fixture.reads(
            ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, 100), ByteRange.from(6_000_000));
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, 3 * MIB, 100).setRangeEnd(true));
    fixture.answer(fixture.chunk(2, 6_000_000, object.size() - 6_000_000));
    fixture.answer(fixture.end(2));
    assertFalse(reads[1].isEnded());
    assertFalse(reads[2].isEnded());
    fixture.assertDelivered(reads[1], 0);
    fixture.hash(0);
    fixture.assertDelivered(reads[0], MIB);
    reads[1].assertBytes(object.bytes(3 * MIB, 3 * MIB + 100));
    reads[2].assertBytes(object.bytes(6_000_000, object.size()));
    fixture.answer(fixture.chunk(0, MIB, MIB));
    fixture.hash(1);
    reads[0].assertBytes(object.bytes(0, 2 * MIB));
    fixture.finish();
  }

  @Test
  void piecesOfOneMessageKeepTheirOrderToo() {
    TestRead[] reads = fixture.reads(ByteRange.of(0, 2 * MIB), ByteRange.of(3 * MIB, 100));
    fixture.answer(
        fixture.chunk(0, 0, MIB), fixture.chunk(1, 3 * MIB, 100), fixture.chunk(0, MIB, MIB));
    assertEquals(2, fixture.workers.size());
    fixture.hash(1);
    fixture.assertDelivered(reads[0], 0);
    assertFalse(reads[1].isEnded());
    fixture.hash(0);
    reads[0].assertBytes(object.bytes(0, 2 * MIB));
    reads[1].assertBytes(object.bytes(3 * MIB, 3 * MIB + 100));
    fixture.finish();
  }

  @Test
  void callsDoNotWaitForOneAnother() {
    TestRead large = fixture.reads(ByteRange.of(0, MIB))[0];
    TestRead small = fixture.reads(ByteRange.of(MIB, 100))[0];
    TestRead other = fixture.reads(ByteRange.of(2 * MIB, MIB))[0];
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.answer(fixture.chunk(1, MIB, 100));
    fixture.answer(fixture.chunk(2, 2 * MIB, MIB));
    fixture.base.settle();
    small.assertBytes(object.bytes(MIB, MIB + 100));
    fixture.hash(1);
    other.assertBytes(object.bytes(2 * MIB, 3 * MIB));
    assertFalse(large.isEnded());
    fixture.hash(0);
    large.assertBytes(object.bytes(0, MIB));
    fixture.finish();
  }

  @Test
  void aPoolThatRefusesMeansInlineHashingInOrder() {
    TestRead read = fixture.reads(ByteRange.of(0, 4 * MIB))[0];
    fixture.workers.refuse(true);
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.assertDelivered(read, MIB);
    fixture.workers.refuse(false);
    fixture.answer(fixture.chunk(0, MIB, MIB));
    fixture.workers.refuse(true);
    fixture.answer(fixture.chunk(0, 2 * MIB, MIB));
    fixture.assertDelivered(read, MIB);
    fixture.hash(0);
    fixture.assertDelivered(read, 3 * MIB);
    fixture.answer(fixture.chunk(0, 3 * MIB, MIB));
    fixture.base.settle();
    read.assertBytes(object.bytes(0, 4 * MIB));
    fixture.finish();
  }

  @Test
  void theSwitchCountsForEachChunk() {
    TestRead read = fixture.reads(ByteRange.of(0, 5 * MIB))[0];
    fixture.offload.set(false);
    fixture.answer(fixture.chunk(0, 0, MIB));
    fixture.assertDelivered(read, MIB);
    fixture.offload.set(true);
    fixture.answer(fixture.chunk(0, MIB, MIB));
    fixture.offload.set(false);
    fixture.answer(fixture.chunk(0, 2 * MIB, MIB));
    fixture.assertDelivered(read, MIB);
    fixture.offload.set(true);
    fixture.answer(fixture.chunk(0, 3 * MIB, MIB));
    assertEquals(2, fixture.workers.size(), "the one in the middle was hashed inline");
    fixture.hash(0);
    fixture.assertDelivered(read, 3 * MIB);
    fixture.hash(1);
    fixture.offload.set(false);
    fixture.answer(fixture.chunk(0, 4 * MIB, MIB));
    fixture.base.settle();
    read.assertBytes(object.bytes(0, 5 * MIB));
    fixture.finish();
  }

  @Test
  void withChecksumsOffNothingIsHashedOrHeld() {
    TestRead read = fixture.read(ByteRange.of(0, 2 * MIB), new GrowingDestination(2 * MIB), false);
    fixture.answer(fixture.corrupt(0, 0, MIB));
    fixture.assertDelivered(read, MIB);
    fixture.answer(fixture.chunk(0, MIB, MIB));
    fixture.base.settle();
    read.assertBytes(object.bytes(0, 2 * MIB));
    assertFalse(read.result().verified());
    assertEquals(0, fixture.workers.size());
    fixture.finish();
  }

  @Test
  void aChunkWithoutAChecksumIsNotHashedUnlessItMayBePartOfTheWhole() {
    TestRead part = fixture.reads(ByteRange.of(MIB, MIB))[0];
    ObjectRangeData.Builder bare = fixture.chunk(0, MIB, MIB);
    bare.getChecksummedDataBuilder().clearCrc32C();
    fixture.answer(bare);
    fixture.base.settle();
    part.assertBytes(object.bytes(MIB, 2 * MIB));
    assertFalse(part.result().verified());
    assertEquals(0, fixture.workers.size());
    fixture.finish();
  }

  @Test
  void aWholeObjectIsVerifiedByCombiningTheChunksHashes() {
    TestRead whole = fixture.reads(ByteRange.all())[0];
    for (int i = 0; i < 6; i++) {
      ObjectRangeData.Builder bare = fixture.chunk(0, (long) i * MIB, MIB);
      bare.getChecksummedDataBuilder().clearCrc32C();
      fixture.answer(bare.setRangeEnd(i == 5));
    }
    assertEquals(6, fixture.workers.size());
    for (int i = 5; i >= 0; i--) {
      assertFalse(whole.isEnded());
      fixture.hash(i);
    }
    whole.assertBytes(object.bytes(0, object.size()));
    assertTrue(whole.result().verified());
    fixture.finish();
  }
}
