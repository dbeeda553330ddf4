// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.checksum.HashTask;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of one call on one stream that wait for a hash, or behind one that does, in the order
 * in which they arrived. Confined to the loop, but for {@link #ended}. Empty as long as everything
 * is hashed inline.
 *
 * <p>Nothing overtakes: a piece is settled when all before it are. The first that fails a check
 * takes everything behind it down: those pieces are dropped, never delivered after it, and their
 * ranges asked for again from their delivered bytes.
 *
 * <p>Only the end of the oldest hash wakes the loop: two workers often end in pairs and out of
 * order, and whatever ended meanwhile is settled with it.
 */
public final class ArrivalLane implements HashTask.Listener {

  /** Does what a settled piece leads to. */
  public interface Settlement {
    /** Checks and delivers a piece; decides only. */
    ReadStep settle(Piece piece, int crc32c, MessageMemory memory);

    /** Does what was decided. */
    void act(RangeRead read, ReadStep step);

    /** Asks for a range again; it did nothing wrong. */
    void askAgain(RangeRead read);

    /** The lane holds nothing any more. */
    void emptied(ArrivalLane lane);

    /** This library failed: what the lane holds is in a state that nobody knows. */
    void fault(Throwable fault);

    /** Has the lane drained on the loop, soon; called by workers. */
    void wake(ArrivalLane lane);
  }

  private final Settlement settlement;
  private final ArrayDeque<HeldPiece> held = new ArrayDeque<>();
  private boolean draining;

  /** The oldest hash, while it runs: whose end wakes the loop. Read by workers. */
  private volatile @Nullable HashTask awaited;

  /** A lane that holds nothing. */
  public ArrivalLane(Settlement settlement) {
    this.settlement = settlement;
  }

  /** Whether a piece that arrives now must wait. */
  public boolean isHolding() {
    return !held.isEmpty();
  }

  /** Holds a piece behind all others; it was hashed already, if it needed that. */
  public void hold(Piece piece, MessageMemory memory, HeldMessage message, int crc32c) {
    held.add(HeldPiece.hashed(crc32c, piece, memory, message));
  }

  /** Holds a piece behind all others while a worker hashes it. */
  public void hold(Piece piece, MessageMemory memory, HeldMessage message, HashTask hash) {
    held.add(HeldPiece.hashedBy(hash, piece, memory, message));
    if (held.size() == 1) {
      awaited = hash;
      if (hash.isEnded()) {
        settlement.wake(this);
      }
    }
  }

  /** A worker ended; on that worker. */
  @Override
  public void ended(HashTask hash) {
    if (hash == awaited) {
      settlement.wake(this);
    }
  }

  /** A hash ended: settles what can be settled, in order. */
  public void drain() {
    if (draining) {
      return;
    }
    Throwable fault = null;
    draining = true;
    try {
      for (HeldPiece head = settleable(); head != null; head = settleable()) {
        held.remove();
        settle(head);
      }
    } catch (Throwable thrown) {
      fault = thrown;
    } finally {
      draining = false;
    }
    if (fault != null) {
      settlement.fault(fault);
    }
    tellIfEmpty();
  }

  /** The oldest piece if it can be settled now; else null, and its hash will wake the loop. */
  private @Nullable HeldPiece settleable() {
    HeldPiece head = held.peek();
    if (head == null || head.isStale()) {
      return head;
    }
    // Set before the look at the state, which a worker sets before it looks at this: one sees the
    // other.
    awaited = head.hash();
    return head.isReady() ? head : null;
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
    Throwable failure = hash == null ? null : hash.failure();
    return failure == null
        ? settlement.settle(head.piece(), head.crc32c(), head.memory())
        : new ReadStep.Fail(new RangeFailure.HashFailed(failure));
  }

  /** Whether nothing that arrived later may be delivered: a check failed, or could not be made. */
  private static boolean endsLane(ReadStep step) {
    if (step instanceof ReadStep.Repair repair) {
      return repair.fault() instanceof ReadFault.Corrupt
          || repair.fault() instanceof ReadFault.TooShort
          || repair.fault() instanceof ReadFault.Surplus;
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
