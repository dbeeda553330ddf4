// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.checksum.HashTask;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The pieces of one call on one stream that wait for a hash, or behind one that does, in the order
 * in which they arrived. Confined to the loop. Empty as long as everything is hashed inline.
 *
 * <p>Nothing overtakes: a piece is settled when all before it are. The first that fails a check
 * takes everything behind it down: those pieces are dropped, never delivered after it, and their
 * ranges asked for again from their delivered bytes.
 */
public final class ArrivalLane {

  /** Does what a settled piece leads to. */
  public interface Settlement {
    /** Hashes a piece inline if it needs it. */
    int hashInline(Piece piece);

    /** Checks and delivers a piece; decides only. */
    ReadStep settle(Piece piece, int crc32c, MessageMemory memory);

    /** Does what was decided. */
    void act(RangeRead read, ReadStep step);

    /** Asks for a range again; it did nothing wrong. */
    void askAgain(RangeRead read);

    /** The lane holds nothing any more. */
    void emptied(ArrivalLane lane);
  }

  private final Settlement settlement;
  private final ArrayDeque<HeldPiece> held = new ArrayDeque<>();
  private boolean draining;

  /** A lane that holds nothing. */
  public ArrivalLane(Settlement settlement) {
    this.settlement = settlement;
  }

  /** Whether a piece that arrives now must wait. */
  public boolean isHolding() {
    return !held.isEmpty();
  }

  /** Holds a piece behind all others, to be hashed when its turn comes, if at all. */
  public void hold(Piece piece, MessageMemory memory, HeldMessage message) {
    held.add(HeldPiece.of(piece, memory, message));
  }

  /** Holds a piece behind all others while a worker hashes it. */
  public void hold(Piece piece, MessageMemory memory, HeldMessage message, HashTask hash) {
    HeldPiece last = HeldPiece.of(piece, memory, message);
    last.hashedBy(hash);
    held.add(last);
  }

  /** A hash ended: settles what can be settled, in order. */
  public void drain() {
    if (draining) {
      return;
    }
    draining = true;
    try {
      for (HeldPiece head = held.peek();
          head != null && (head.isStale() || head.isReady());
          head = held.peek()) {
        held.remove();
        settle(head);
      }
    } finally {
      draining = false;
    }
    tellIfEmpty();
  }

  private void settle(HeldPiece head) {
    RangeRead read = head.read();
    ReadStep step = ReadStep.CONTINUE;
    Set<RangeRead> bystanders = Set.of();
    try {
      if (!head.isStale()) {
        step = decide(head);
        if (endsLane(step)) {
          bystanders = dropAll();
        }
      }
    } finally {
      head.release();
    }
    settlement.act(read, step);
    for (RangeRead bystander : bystanders) {
      if (bystander != read && !bystander.isDone()) {
        settlement.askAgain(bystander);
      }
    }
  }

  private ReadStep decide(HeldPiece head) {
    HashTask hash = head.hash();
    if (hash == null) {
      return settlement.settle(head.piece(), settlement.hashInline(head.piece()), head.memory());
    }
    Throwable failure = hash.failure();
    return failure == null
        ? settlement.settle(head.piece(), hash.crc32c(), head.memory())
        : new ReadStep.Fail(new RangeFailure.HashFailed(failure));
  }

  /** Whether nothing that arrived later may be delivered: a check failed, or could not be made. */
  private static boolean endsLane(ReadStep step) {
    if (step instanceof ReadStep.Repair repair) {
      return repair.fault() instanceof ReadFault.Corrupt
          || repair.fault() instanceof ReadFault.TooShort;
    }
    return step instanceof ReadStep.Fail fail
        && (fail.failure() instanceof RangeFailure.WholeMismatch
            || fail.failure() instanceof RangeFailure.HashFailed);
  }

  /** Drops everything held, unverified; returns the ranges whose pieces were. */
  private Set<RangeRead> dropAll() {
    Set<RangeRead> reads = new LinkedHashSet<>();
    for (HeldPiece piece = held.poll(); piece != null; piece = held.poll()) {
      if (!piece.isStale()) {
        reads.add(piece.read());
      }
      piece.release();
    }
    return reads;
  }

  /** A range was cancelled: its pieces are dropped, those of others wait no longer for them. */
  public void forget(RangeRead read) {
    for (Iterator<HeldPiece> pieces = held.iterator(); pieces.hasNext(); ) {
      HeldPiece piece = pieces.next();
      if (piece.read() == read) {
        pieces.remove();
        piece.release();
      }
    }
    drain();
  }

  /** The session ends: everything is dropped. */
  public void clear() {
    dropAll();
    tellIfEmpty();
  }

  private void tellIfEmpty() {
    if (held.isEmpty() && !draining) {
      settlement.emptied(this);
    }
  }

  /** How many pieces are held. */
  public int size() {
    return held.size();
  }

  @Override
  public String toString() {
    return "ArrivalLane[" + held.size() + " held]";
  }
}
