// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.HashTask;
import io.github.gcsmrd.internal.checksum.ManualWorkers;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lane with a settlement of its own, over pieces of some bytes each. */
class ArrivalLaneTest implements ArrivalLane.Settlement {
  private static final int PIECE_BYTES = LanePieces.BYTES;

  private final ManualWorkers workers = new ManualWorkers();
  private final ArrivalLane lane = new ArrivalLane(this);
  private final List<MessageMemory> memories = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final ChunkHasher hasher = new ChunkHasher();
  private int hashFails = -1;
  private boolean broken;
  private boolean refusing;
  private int size;
  private int hashed;
  private int wakes;
  private int held;
  private int emptied;

  private final HashPool pool = new HashPool(workers, this::hash);

  private int hash(Content content) {
    int chunk = content.toByteArray(0, 1)[0];
    for (MessageMemory memory : memories) {
      assertTrue(memory.sizeBytes() != chunk || memory.references() > 0, "freed under a hash");
    }
    hashed++;
    if (chunk == hashFails) {
      throw new OutOfMemoryError("in the test");
    }
    return new ChunkHasher().hashShared(content);
  }

  // What the loop does.

  @Override
  public HashTask trySubmit(Piece piece, MessageMemory memory, ArrivalLane submitting) {
    return refusing ? null : pool.trySubmit(piece.data().content(), memory, submitting);
  }

  @Override
  public int hashInline(Piece piece) {
    return hasher.hash(piece.data().content(), 0, PIECE_BYTES);
  }

  @Override
  public void resized(int before, int now) {
    assertEquals(size, before);
    assertTrue(now <= ArrivalLane.MAX_HELD);
    size = now;
  }

  @Override
  public ReadStep settle(Piece piece, int crc32c, MessageMemory memory) {
    assertTrue(memory.references() > 0);
    if (broken) {
      throw new IllegalStateException("broken");
    }
    return piece.read().progress().settle(piece, crc32c, hasher, memory, WholeObject.UNKNOWN);
  }

  @Override
  public void act(RangeRead read, ReadStep step) {
    if (step instanceof ReadStep.Continue) {
      events.add("delivered to " + read.position().delivered());
    } else if (step instanceof ReadStep.Repair repair) {
      events.add("repair " + repair.fault().getClass().getSimpleName());
      read.rewind(WholeObject.UNKNOWN);
    } else {
      events.add(step.getClass().getSimpleName());
      read.end();
    }
  }

  @Override
  public void askAgain(RangeRead read) {
    events.add("again from " + read.position().delivered());
    read.rewind(WholeObject.UNKNOWN);
  }

  @Override
  public void emptied(ArrivalLane emptiedLane) {
    emptied++;
  }

  @Override
  public void fault(Throwable fault) {
    events.add("fault " + fault.getMessage());
    lane.clear();
  }

  @Override
  public void wake(ArrivalLane woken) {
    wakes++;
  }

  /** Runs a hash, then the loop. */
  private void run(int index) {
    workers.run(index);
    while (wakes > 0) {
      wakes--;
      lane.drain();
    }
  }

  // What arrives.

  private RangeRead read(long id, long offset, Destination destination) {
    RangeRead read =
        new RangeRead(ByteRange.of(offset, 1_000), destination, new LanePieces.Nobody(), true);
    ReadCall call = new ReadCall(List.of(read), ReadCall.NO_TIMEOUT);
    assertTrue(call.reads().contains(read));
    read.ask(id, 0);
    return read;
  }

  private RangeRead read(long id, long offset) {
    return read(id, offset, new GrowingDestination(16));
  }

  private ReceivedMessage message(int chunk, long readId, long offset, boolean corrupt) {
    ReceivedMessage message = LanePieces.message(chunk, readId, offset, corrupt);
    memories.add(message.memory());
    return message;
  }

  /** A chunk comes and goes to a worker. */
  private void arrive(RangeRead read, int chunk, boolean corrupt) {
    ReceivedMessage message = message(chunk, read.readId(), read.position().received(), corrupt);
    Piece piece = read.receive(message.range(0), 0);
    HashTask task = pool.trySubmit(piece.data().content(), message.memory(), lane);
    lane.hold(piece, message.memory(), new HeldMessage(change -> held += change), task);
    message.close();
  }

  /** A chunk comes that was hashed inline. */
  private void arriveHashed(RangeRead read, int chunk, boolean corrupt) {
    ReceivedMessage message = message(chunk, read.readId(), read.position().received(), corrupt);
    Piece piece = read.receive(message.range(0), 0);
    int crc32c = hasher.hash(piece.data().content(), 0, PIECE_BYTES);
    lane.hold(piece, message.memory(), new HeldMessage(change -> held += change), crc32c);
    message.close();
  }

  private void assertNothingHeld(String where) {
    assertEquals(0, lane.size(), where);
    assertFalse(lane.isHolding(), where);
    assertEquals(0, held, where);
    for (MessageMemory memory : memories) {
      assertEquals(0, memory.references(), where + ", message " + memory.sizeBytes());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void everyOrderOfHashesDeliversInOrderOfArrival(int count) {
    for (int[] order : ManualWorkers.orders(count)) {
      ArrivalLaneTest fresh = new ArrivalLaneTest();
      fresh.deliversInOrder(order);
    }
  }

  private void deliversInOrder(int[] order) {
    String where = "order " + Arrays.toString(order);
    RangeRead read = read(1, 0);
    for (int i = 0; i < order.length; i++) {
      arrive(read, i, false);
    }
    assertEquals(order.length, held);
    boolean[] ended = new boolean[order.length];
    int delivered = 0;
    for (int index : order) {
      int before = wakes;
      workers.run(index);
      assertEquals(index == delivered ? before + 1 : before, wakes, where + ", wakes");
      ended[index] = true;
      run(index);
      while (delivered < order.length && ended[delivered]) {
        delivered++;
      }
      assertEquals((long) delivered * PIECE_BYTES, read.position().delivered(), where);
      assertEquals(order.length - delivered, lane.size(), where);
      assertEquals(order.length - delivered, held, where);
    }
    assertEquals(1, emptied, where);
    assertNothingHeld(where);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void everyOrderWithACorruptChunkDeliversNothingFromItOn(int count) {
    for (int[] order : ManualWorkers.orders(count)) {
      for (int bad = 0; bad < count; bad++) {
        new ArrivalLaneTest().stopsAt(order, bad, false);
        new ArrivalLaneTest().stopsAt(order, bad, true);
      }
    }
  }

  /** Every second chunk is of another range. */
  private void stopsAt(int[] order, int bad, boolean workerFails) {
    String where =
        "order " + Arrays.toString(order) + ", bad " + bad + (workerFails ? ", fails" : "");
    RangeRead[] reads = {read(1, 0), read(2, 10_000)};
    hashFails = workerFails ? bad : -1;
    for (int i = 0; i < order.length; i++) {
      arrive(reads[i % 2], i, !workerFails && i == bad);
    }
    boolean[] ended = new boolean[order.length];
    int needed = 0;
    for (int index : order) {
      int before = hashed;
      boolean cancelled = needed > bad;
      run(index);
      assertEquals(cancelled ? before : before + 1, hashed, where + ", hashes");
      ended[index] = true;
      while (needed <= bad && ended[needed]) {
        needed++;
      }
      boolean over = needed > bad;
      assertEquals(over ? 0 : order.length - needed, lane.size(), where);
      if (over) {
        assertEquals(1, emptied, where);
        assertNothingHeld(where);
      }
    }
    for (int i = 0; i < 2; i++) {
      long expected = 10_000L * i + PIECE_BYTES * (long) ((bad - i + 1) / 2);
      assertEquals(expected, reads[i].position().delivered(), where + ", range " + i);
    }
    String failed = workerFails ? "Fail" : "repair Corrupt";
    assertEquals(1, events.stream().filter(failed::equals).count(), where + events);
    boolean bystander = order.length > bad + 1;
    assertEquals(
        bystander ? 1 : 0,
        events.stream().filter(event -> event.startsWith("again")).count(),
        where + events);
    assertNothingHeld(where);
  }

  @Test
  void hashesThatNobodyAwaitsDoNotWakeTheLoop() {
    RangeRead read = read(1, 0);
    for (int i = 0; i < 4; i++) {
      arrive(read, i, false);
    }
    workers.run(2);
    workers.run(1);
    workers.run(3);
    assertEquals(0, wakes);
    workers.run(0);
    assertEquals(1, wakes);
    lane.drain();
    assertEquals(4 * PIECE_BYTES, read.position().delivered());
    assertNothingHeld("drained once");
  }

  @Test
  void aHashThatEndsBeforeItsPieceIsHeldWakesTheLoop() {
    RangeRead read = read(1, 0);
    ReceivedMessage message = message(0, 1, 0, false);
    Piece piece = read.receive(message.range(0), 0);
    HashTask task = pool.trySubmit(piece.data().content(), message.memory(), lane);
    workers.run(0);
    assertEquals(0, wakes, "it is not in the lane yet");
    lane.hold(piece, message.memory(), new HeldMessage(change -> held += change), task);
    message.close();
    assertEquals(1, wakes);
    run(0);
    assertEquals(PIECE_BYTES, read.position().delivered());
    assertNothingHeld("drained");
  }

  @Test
  void piecesHashedOnArrivalWaitForTheirTurn() {
    RangeRead read = read(1, 0);
    arrive(read, 0, false);
    arriveHashed(read, 1, false);
    arriveHashed(read, 2, true);
    arrive(read, 3, false);
    assertEquals(0, read.position().delivered());
    run(0);
    assertEquals(2 * PIECE_BYTES, read.position().delivered());
    assertEquals(1, hashed, "the last hash was cancelled");
    workers.runAll();
    assertEquals(1, hashed);
    assertEquals("repair Corrupt", events.get(2));
    assertNothingHeld("after the corrupt one");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aForgottenRangeNoLongerHoldsUpOthers(int ended) {
    RangeRead cancelled = read(1, 0);
    RangeRead other = read(2, 10_000);
    arrive(cancelled, 0, false);
    arrive(other, 1, false);
    arrive(cancelled, 2, false);
    arrive(other, 3, false);
    for (int i = 3; i > 3 - ended; i--) {
      workers.run(i);
    }
    lane.forget(cancelled);
    int expected = ended >= 3 ? 2 : 0;
    assertEquals(10_000 + expected * PIECE_BYTES, other.position().delivered());
    assertEquals(0, cancelled.position().delivered());
    run(1);
    run(3);
    assertEquals(10_000 + 2 * PIECE_BYTES, other.position().delivered());
    workers.runAll();
    assertNothingHeld("ended " + ended);
  }

  @Test
  void clearDropsEverythingUnverified() {
    RangeRead read = read(1, 0);
    for (int i = 0; i < 5; i++) {
      arrive(read, i, false);
    }
    workers.run(1);
    lane.clear();
    assertEquals(1, emptied);
    assertNothingHeld("cleared");
    workers.runAll();
    assertEquals(1, hashed);
    assertEquals(0, read.position().delivered());
    assertEquals(List.of(), events);
    assertEquals(0, wakes);
  }

  @Test
  void aRangeThatWasAskedAgainElsewhereLeavesItsPiecesBehind() {
    RangeRead read = read(1, 0);
    arrive(read, 0, false);
    arrive(read, 1, false);
    read.rewind(WholeObject.UNKNOWN);
    read.ask(2, 0);
    run(0);
    assertEquals(0, read.position().delivered());
    assertEquals(List.of(), events.stream().filter(e -> !e.equals("delivered to 0")).toList());
    assertNothingHeld("stale");
  }

  @Test
  void aSinkThatThrowsEndsItsRangeAlone() {
    RangeRead failing =
        read(
            1,
            0,
            new LoopSinkDestination(
                chunk -> {
                  throw new IllegalStateException("by the sink");
                }));
    RangeRead other = read(2, 10_000);
    arrive(failing, 0, false);
    arrive(other, 1, false);
    arrive(failing, 2, false);
    arrive(other, 3, false);
    for (int i = 3; i >= 0; i--) {
      run(i);
    }
    assertEquals(10_000 + 2 * PIECE_BYTES, other.position().delivered());
    assertEquals(List.of("Fail", "delivered to 10008"), events.subList(0, 2));
    assertNothingHeld("after the sink threw");
  }

  @Test
  void aFaultOfTheLibraryIsToldOnceAndNothingStaysHeld() {
    broken = true;
    RangeRead read = read(1, 0);
    for (int i = 0; i < 3; i++) {
      arrive(read, i, false);
    }
    run(0);
    assertEquals(List.of("fault broken"), events);
    assertNothingHeld("after the fault");
  }
}
