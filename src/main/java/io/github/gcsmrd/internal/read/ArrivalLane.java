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
 * <p>At most {@link #MAX_HELD} pieces are held, or the stream's share of them. What a message
 * brings beyond them stays inside it, and is taken out in order as the oldest are settled.
 *
 * <p>Only the end of the oldest hash wakes the loop: two workers often end in pairs and out of
 * order, and whatever ended meanwhile is settled with it.
 */
public final class ArrivalLane implements HashTask.Listener {
  /** How many pieces a call holds, on all its streams. */
  public static final int MAX_HELD = 32;

  /** Does what a settled piece leads to. */
  public interface Settlement {
    /** How many pieces a call holds here: all that it may, unless it is on several streams. */
    default int maxHeld() {
      return MAX_HELD;
    }

    /** Hands a piece to a worker; null if none takes it. */
    @Nullable HashTask trySubmit(Piece piece, MessageMemory memory, ArrivalLane lane);

    /** Hashes a piece at once, if it needs that. */
    int hashInline(Piece piece);

    /** Checks and delivers a piece; decides only. */
    ReadStep settle(Piece piece, int crc32c, MessageMemory memory);

    /** Does what was decided. */
    void act(RangeRead read, ReadStep step);

    /** Asks for a range again; it did nothing wrong. */
    void askAgain(RangeRead read);

    /** A lane holds another number of pieces than it was told to before. */
    void resized(int before, int now);

    /** The lane holds nothing any more. */
    void emptied(ArrivalLane lane);

    /** This library failed: what the lane holds is in a state that nobody knows. */
    void fault(Throwable fault);

    /** Has the lane drained on the loop, soon; called by workers. */
    void wake(ArrivalLane lane);
  }

  /** What waits until every piece up to a number has left. */
  private record Deferred(long number, Runnable task) {}

  private final Settlement settlement;
  private final int maxHeld;
  private final ArrayDeque<HeldPiece> held = new ArrayDeque<>();

  /** Not empty only while as many are held as may be. */
  private final ArrayDeque<WaitingPiece> waiting = new ArrayDeque<>(0);

  private final ArrayDeque<Deferred> deferred = new ArrayDeque<>(0);
  private long arrived;
  private int toldSize;
  private boolean draining;
  private boolean runningDue;

  /** The oldest hash, while it runs: whose end wakes the loop. Read by workers. */
  private volatile @Nullable HashTask awaited;

  /** A lane that holds nothing. */
  public ArrivalLane(Settlement settlement) {
    this.settlement = settlement;
    this.maxHeld = settlement.maxHeld();
  }

  /** Whether a piece that arrives now must wait. */
  public boolean isHolding() {
    return !held.isEmpty();
  }

  /** Whether a piece that arrives now must stay in its message. */
  public boolean isFull() {
    return held.size() == maxHeld || !waiting.isEmpty();
  }

  /** Holds a piece behind all others; it was hashed already, if it needed that. */
  public void hold(Piece piece, MessageMemory memory, HeldMessage message, int crc32c) {
    add(HeldPiece.hashed(crc32c, ++arrived, piece, memory, message));
  }

  /** Holds a piece behind all others while a worker hashes it. */
  public void hold(Piece piece, MessageMemory memory, HeldMessage message, HashTask hash) {
    add(HeldPiece.hashedBy(hash, ++arrived, piece, memory, message));
  }

  /** Leaves a piece in its message until there is room; it was hashed, unless a worker is to. */
  public void leave(
      Piece piece, MessageMemory memory, HeldMessage message, int crc32c, boolean forWorker) {
    assert isFull();
    waiting.add(WaitingPiece.of(++arrived, piece, memory, message, crc32c, forWorker));
  }

  private void add(HeldPiece piece) {
    assert held.size() < maxHeld;
    held.add(piece);
    HashTask hash = piece.hash();
    if (held.size() == 1 && hash != null) {
      awaited = hash;
      if (hash.isEnded()) {
        settlement.wake(this);
      }
    }
    tellSize();
  }

  /** Takes pieces out of their messages as far as there is room. */
  private void refill() {
    while (held.size() < maxHeld && !waiting.isEmpty()) {
      WaitingPiece next = waiting.remove();
      try {
        if (!next.piece().isStale()) {
          takeOut(next);
        }
      } finally {
        next.release();
      }
    }
  }

  private void takeOut(WaitingPiece next) {
    Piece piece = next.piece();
    MessageMemory memory = next.memory();
    HashTask hash = next.forWorker() ? settlement.trySubmit(piece, memory, this) : null;
    if (hash != null) {
      add(HeldPiece.hashedBy(hash, next.number(), piece, memory, next.message()));
    } else {
      int crc32c = next.forWorker() ? settlement.hashInline(piece) : next.crc32c();
      add(HeldPiece.hashed(crc32c, next.number(), piece, memory, next.message()));
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
      refill();
      for (HeldPiece head = settleable(); head != null; head = settleable()) {
        held.remove();
        settle(head);
        refill();
      }
    } catch (Throwable thrown) {
      fault = thrown;
    } finally {
      draining = false;
    }
    if (fault != null) {
      settlement.fault(fault);
    }
    tell();
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

  /**
   * Whether nothing that arrived later may be delivered: bytes did not match, a range did not end
   * as it must, or its check could not be made.
   *
   * <p>A chunk at a wrong offset, or one that claims a negative length, drops nothing but itself:
   * it says nothing of the bytes of other ranges, and its own is not waited for since it came. Nor
   * does a sink that fails: what is held of its range goes with it, since it came after the chunk
   * that the sink failed at.
   */
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

  /** Drops everything, unverified; returns the ranges whose pieces were. */
  private Set<RangeRead> dropAll() {
    Set<RangeRead> reads = new LinkedHashSet<>();
    for (HeldPiece piece = held.poll(); piece != null; piece = held.poll()) {
      if (!piece.isStale()) {
        reads.add(piece.read());
      }
      piece.release();
    }
    for (WaitingPiece left = waiting.poll(); left != null; left = waiting.poll()) {
      if (!left.piece().isStale()) {
        reads.add(left.piece().read());
      }
      left.release();
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
    for (Iterator<WaitingPiece> pieces = waiting.iterator(); pieces.hasNext(); ) {
      WaitingPiece piece = pieces.next();
      if (piece.piece().read() == read) {
        pieces.remove();
        piece.release();
      }
    }
    drain();
  }

  /** Runs a task once everything that is here now has left: at once if nothing is. */
  public void afterHeld(Runnable task) {
    if (isHolding()) {
      deferred.add(new Deferred(arrived, task));
    } else {
      task.run();
    }
  }

  /** The session ends: everything is dropped. */
  public void clear() {
    deferred.clear();
    dropAll();
    tell();
  }

  /** Says what changed, once nothing is in the middle of a transition. */
  private void tell() {
    if (draining) {
      return;
    }
    tellSize();
    runDue();
    if (held.isEmpty()) {
      settlement.emptied(this);
    }
  }

  /** A range that ends by this comes back here: the loop that runs goes on then. */
  private void runDue() {
    if (runningDue) {
      return;
    }
    runningDue = true;
    try {
      for (Deferred next = deferred.peek(); next != null && isDue(next); next = deferred.peek()) {
        deferred.remove().task().run();
      }
    } finally {
      runningDue = false;
    }
  }

  private boolean isDue(Deferred next) {
    HeldPiece oldest = held.peek();
    return oldest == null || oldest.number() > next.number();
  }

  private void tellSize() {
    int before = toldSize;
    int now = held.size();
    if (now != before && !draining) {
      toldSize = now;
      settlement.resized(before, now);
    }
  }

  /** How many pieces are held. */
  public int size() {
    return held.size();
  }

  @Override
  public String toString() {
    return "ArrivalLane[" + held.size() + " held, " + waiting.size() + " in messages]";
  }
}
