// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges submitted together. Confined to the loop once submitted.
 *
 * <p>It ends when each of its ranges has ended, and then lets go of its time limit.
 */
public final class ReadCall {
  /** No limit of time. */
  public static final long NO_TIMEOUT = 0;

  private final List<RangeRead> reads;
  private final long timeoutNanos;
  private final ReadCall root;
  private long deadlineNanos;
  private int open;
  private @Nullable ArrivalLane lane;
  private Runnable cancelTimeout = () -> {};

  /**
   * A call that was not submitted yet.
   *
   * @param reads the ranges in the order asked
   * @param timeoutNanos the limit from submission, or {@link #NO_TIMEOUT}
   */
  public ReadCall(List<RangeRead> reads, long timeoutNanos) {
    this(reads, timeoutNanos, null);
  }

  private ReadCall(List<RangeRead> reads, long timeoutNanos, @Nullable ReadCall root) {
    this.reads = reads;
    this.timeoutNanos = timeoutNanos;
    this.root = root == null ? this : root;
    this.open = reads.size();
    for (RangeRead read : reads) {
      read.joined(this);
    }
  }

  /** Its time runs from now on. */
  public void begin(long nowNanos) {
    deadlineNanos = nowNanos + timeoutNanos;
  }

  /**
   * Some of its ranges, which go to one stream together, with what is left of its time. They are
   * this call's no more.
   */
  public ReadCall part(List<RangeRead> some, long nowNanos) {
    long leftNanos =
        timeoutNanos == NO_TIMEOUT ? NO_TIMEOUT : Math.max(1, root.deadlineNanos - nowNanos);
    return new ReadCall(new ArrayList<>(some), leftNanos, root);
  }

  /**
   * Takes in what else of the same call came to the same stream.
   *
   * @param part has none of it any more
   */
  public void take(ReadCall part) {
    for (RangeRead read : part.reads) {
      read.joined(this);
      reads.add(read);
      open++;
    }
  }

  /** Whether it is a part of what the user submitted together. */
  public boolean isPart() {
    return root != this;
  }

  /** The call as the user made it. */
  public ReadCall root() {
    return root;
  }

  /** The ranges in the order asked. */
  public List<RangeRead> reads() {
    return reads;
  }

  /** The limit of time in nanoseconds, or {@link #NO_TIMEOUT}. */
  public long timeoutNanos() {
    return timeoutNanos;
  }

  /**
   * The lane of pieces that wait; made when first needed.
   *
   * @param settlement what a lane made for it does with them
   */
  public ArrivalLane lane(ArrivalLane.Settlement settlement) {
    ArrivalLane made = lane;
    if (made == null) {
      made = new ArrivalLane(settlement);
      lane = made;
    }
    return made;
  }

  /** Whether a piece that arrives now must wait behind others. */
  public boolean isHolding() {
    return lane != null && lane.isHolding();
  }

  /** Runs a task once all that is held now is settled: an error is reported in its turn. */
  public void afterHeld(Runnable task) {
    if (lane == null) {
      task.run();
    } else {
      lane.afterHeld(task);
    }
  }

  /** Drops the held pieces of a range that ended. */
  void dropHeld(RangeRead read) {
    if (lane != null && lane.isHolding()) {
      lane.forget(read);
    }
  }

  /** Sets how to cancel the timer of the limit; does so if every range has ended by now. */
  public void onAllEnded(Runnable cancelTimeout) {
    this.cancelTimeout = cancelTimeout;
    if (open == 0) {
      cancelTimeout.run();
    }
  }

  /** Whether every range has ended. */
  public boolean isEnded() {
    return open == 0;
  }

  /** A range ended. */
  public void ended() {
    open--;
    if (open == 0) {
      cancelTimeout.run();
    }
  }
}
