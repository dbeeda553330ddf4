// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.checksum.HashTask;
import io.github.gcsmrd.internal.read.ArrivalLane;
import io.github.gcsmrd.internal.read.HeldMessage;
import io.github.gcsmrd.internal.read.Piece;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.read.ReadStep;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has each piece checked and delivered: at once, or in order of arrival behind those that wait for
 * a worker's hash. Confined to the loop.
 */
final class Arrivals implements ArrivalLane.Settlement {

  private final Loop loop;
  private final Offload offload;
  private final LiveReads reads;
  private final ObjectPin pin;
  private final ChunkHasher hasher = new ChunkHasher();
  private final int maxHeld;
  private final FullestCall fullest = new FullestCall();

  /** The lanes that hold something. */
  private final Set<ArrivalLane> holding = new LinkedHashSet<>();

  /** The message at hand, once a piece of it is held. */
  private @Nullable HeldMessage heldMessage;

  private @Nullable Runnable whenSettled;

  Arrivals(Loop loop, Offload offload, LiveReads reads, ObjectPin pin, int maxHeld) {
    this.maxHeld = maxHeld;
    this.loop = loop;
    this.offload = offload;
    this.reads = reads;
    this.pin = pin;
  }

  /** The next pieces are of another message. */
  void messageBegins() {
    heldMessage = null;
  }

  /** Takes a piece whose message is valid during the call. */
  void arrived(Piece piece, MessageMemory memory) {
    ReadCall call = piece.read().call();
    boolean forWorker = isForWorker(piece, memory);
    if (call.isHolding() && call.lane(this).isFull()) {
      int crc32c = forWorker ? 0 : hashInline(piece);
      call.lane(this).leave(piece, memory, message(), crc32c, forWorker);
    } else if (!forWorker || !holdForWorker(piece, memory, call.lane(this))) {
      // Hashed now though it may have to wait: its bytes are in the cache.
      int crc32c = hashInline(piece);
      if (call.isHolding()) {
        call.lane(this).hold(piece, memory, message(), crc32c);
      } else {
        act(piece.read(), settle(piece, crc32c, memory));
      }
    }
  }

  private boolean holdForWorker(Piece piece, MessageMemory memory, ArrivalLane lane) {
    HashTask task = trySubmit(piece, memory, lane);
    if (task == null) {
      return false;
    }
    holding.add(lane);
    lane.hold(piece, memory, message(), task);
    return true;
  }

  /** A worker takes time, in which the memory is held: none is asked if that may not be. */
  private boolean isForWorker(Piece piece, MessageMemory memory) {
    return piece.read().progress().needsHash(piece)
        && offload.takes(piece.data().content().length())
        && memory.mayBeHeld();
  }

  private HeldMessage message() {
    HeldMessage message = heldMessage;
    if (message == null) {
      message = new HeldMessage(reads::held);
      heldMessage = message;
    }
    return message;
  }

  /** Runs a task when nothing is held: at once if that is so. */
  void whenSettled(Runnable then) {
    if (holding.isEmpty()) {
      then.run();
    } else {
      whenSettled = then;
    }
  }

  /** The session ends: drops everything held, unverified, and what waited for it. */
  void clear() {
    whenSettled = null;
    for (ArrivalLane lane : holding.toArray(new ArrivalLane[0])) {
      lane.clear();
    }
  }

  @Override
  public int maxHeld() {
    return maxHeld;
  }

  @Override
  public @Nullable HashTask trySubmit(Piece piece, MessageMemory memory, ArrivalLane lane) {
    return offload.pool().trySubmit(piece.data().content(), memory, lane);
  }

  @Override
  public int hashInline(Piece piece) {
    return piece.read().progress().needsHash(piece)
        ? hasher.hash(piece.data().content(), 0, piece.data().content().length())
        : 0;
  }

  @Override
  public ReadStep settle(Piece piece, int crc32c, MessageMemory memory) {
    RangeRead read = piece.read();
    if (read.completion().isAbandoned()) {
      reads.cancel(read);
      return ReadStep.CONTINUE;
    }
    long before = read.position().deliveredBytes();
    ReadStep step = read.progress().settle(piece, crc32c, hasher, memory, pin.whole());
    if (read.position().deliveredBytes() > before) {
      reads.delivered(read);
    }
    return step;
  }

  @Override
  public void act(RangeRead read, ReadStep step) {
    reads.act(read, step);
  }

  @Override
  public void askAgain(RangeRead read) {
    reads.askAgain(read);
  }

  @Override
  public void resized(int before, int now) {
    if (fullest.changes(before, now)) {
      reads.heldByOneCall(fullest.chunks());
    }
  }

  @Override
  public void emptied(ArrivalLane lane) {
    holding.remove(lane);
    Runnable then = whenSettled;
    if (then != null && holding.isEmpty()) {
      whenSettled = null;
      then.run();
    }
  }

  @Override
  public void fault(Throwable fault) {
    reads.fault(fault);
  }

  @Override
  public void wake(ArrivalLane lane) {
    loop.execute(lane::drain);
  }
}
