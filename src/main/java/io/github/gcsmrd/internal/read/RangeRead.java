// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.wire.RangeData;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One range from its submission to its end. Confined to the loop of its session.
 *
 * <p>An answer passes in two steps: {@link #receive} places it when it arrives, {@link
 * RangeProgress#settle} checks and delivers it, in order of arrival. Both only decide and deliver;
 * the connector does what follows.
 *
 * <pre>
 *      queued        sent            asked part came, no credit
 *   UNASKED ─▶ WAITING ────▶ ASKED ──────────────────────────────▶ PAUSED
 *      ▲          ▲            │ ╲                                   │
 *      │ repair,  │            │  ╲ all delivered, sink still busy   │ credit
 *      └──────────┼────────────┘   ╲──────────▶ DRAINING             │
 *        break    └──────────────────────────────────────────────────┘
 *   every state ──▶ FAILING, if its call holds something that came before the error
 *   every state ──▶ DONE (sticky)
 * </pre>
 */
public final class RangeRead {
  /** The state of a range. */
  public enum State {
    /** Neither asked for nor queued: it has just come, or was just taken back. */
    UNASKED,
    /** Its destination is made ready for a length that must be known first. */
    PREPARING,
    /** Queued, to be asked for on the next stream that takes it. */
    WAITING,
    /** Asked for under its read id, or its last answer is being settled. */
    ASKED,
    /** Not asked for: the destination has no credit. */
    PAUSED,
    /** Everything was delivered; the sink is still at it. */
    DRAINING,
    /** Something went wrong: it gets what arrived before, and fails unless that completes it. */
    FAILING,
    /** Ended; whatever comes for it is dropped. */
    DONE
  }

  private final ByteRange range;
  private final Destination destination;
  private final RangeCompletion completion;
  private final RangeProgress progress;
  private long sequence;
  private long loadBytes;
  private @Nullable ReadCall call;

  /** Written by who has it, read by who gives it up. */
  private volatile @Nullable ReadOwner owner;

  private State state = State.UNASKED;
  private long readId;
  private long lastSignNanos;

  /** How long it got nothing on streams that ended meanwhile. */
  private long silentBeforeNanos;

  /**
   * A range at its beginning.
   *
   * @param range not empty
   * @param destination where the bytes go
   * @param completion who waits
   * @param checking whether checksums are on
   */
  public RangeRead(
      ByteRange range, Destination destination, RangeCompletion completion, boolean checking) {
    this(range, destination, completion, checking, false);
  }

  private RangeRead(
      ByteRange range,
      Destination destination,
      RangeCompletion completion,
      boolean checking,
      boolean part) {
    this.range = range;
    this.destination = destination;
    this.completion = completion;
    this.progress = new RangeProgress(range, destination, checking, part);
  }

  /** A part of a larger range, of whose bytes the checksum is wanted: see {@link #RangeRead}. */
  public static RangeRead part(
      ByteRange range, Destination destination, RangeCompletion completion, boolean checking) {
    return new RangeRead(range, destination, completion, checking, true);
  }

  void joined(ReadCall call) {
    this.call = call;
  }

  /** The call it is in at present. */
  public ReadCall call() {
    ReadCall joined = call;
    if (joined == null) {
      throw new IllegalStateException("range " + range + " was not submitted");
    }
    return joined;
  }

  /**
   * It changes hands, between streams of a session.
   *
   * @param next who has it from now on
   * @param loadBytes what it weighs there
   */
  public void ownedBy(ReadOwner next, long loadBytes) {
    this.loadBytes = loadBytes;
    this.owner = next;
  }

  /** Who has it; empty as long as it is on its way. */
  public Optional<ReadOwner> owner() {
    return Optional.ofNullable(owner);
  }

  /** What it weighs where it is, for the choice of a stream; 0 where there is no choice. */
  public long loadBytes() {
    return loadBytes;
  }

  /** Whether it may go to another stream, rather than wait for its own. */
  public boolean mayMove() {
    return destination.isMovable() && progress.mayMove();
  }

  /** It leaves its stream as it is, to be read on another from its delivered bytes on. */
  public void leave() {
    become(State.UNASKED);
    progress.moved();
    call().ended();
    owner = null;
  }

  /** Takes its place in the order of submission. */
  public void submitted(long sequence) {
    this.sequence = sequence;
  }

  /** Ends it; what is held of it, and whatever comes for it from now on, is dropped. */
  public void end() {
    become(State.DONE);
    ReadCall joined = call;
    if (joined != null) {
      joined.dropHeld(this);
      joined.ended();
    }
  }

  /** It is to fail: nothing is asked for any more, what is held is still delivered. */
  public void failing() {
    if (state != State.ASKED) {
      call().dropHeld(this);
    }
    become(State.FAILING);
  }

  /** Notes that the range is asked for from its delivered bytes on, under a new id. */
  public void ask(long readId, long nowNanos) {
    this.readId = readId;
    this.state = State.ASKED;
    this.lastSignNanos = nowNanos;
    long creditBytes = destination.creditBytes();
    if (creditBytes <= 0) {
      // On the wire a length of 0 means "to the end".
      throw new IllegalStateException("no credit to ask for " + range);
    }
    position().ask(creditBytes);
  }

  /** Places an answer and advances the received offset. */
  public Piece receive(RangeData data, long nowNanos) {
    int length = data.content().length();
    long expected = position().received();
    Placement placement =
        length == 0 ? Placement.nothing() : position().place(data.offset(), length);
    ReadFault fault = null;
    if (placement.isMisplaced()) {
      fault = new ReadFault.Misplaced(expected, data.offset(), length);
    } else if (data.length() < 0) {
      fault = new ReadFault.NegativeLength(data.offset(), data.length());
    }
    if (placement.take() > 0) {
      // Only what brings it on: a server may repeat itself for ever.
      lastSignNanos = nowNanos;
      silentBeforeNanos = 0;
    }
    boolean ends =
        fault != null || data.rangeEnd() || position().isAskedReceived() || position().isProbed();
    long deliveredFrom = position().received() - Math.max(0, placement.take());
    return new Piece(this, data, placement, deliveredFrom, ends, fault);
  }

  /** What of it was checked and delivered, and what that leads to. */
  public RangeProgress progress() {
    return progress;
  }

  /** Forgets what came but was not delivered: it is to be asked for again, unless it is over. */
  public ReadStep rewind(WholeObject object) {
    state = State.UNASKED;
    return progress.rewind(object);
  }

  /** Nothing will touch the destination any more: runs user code, never on a loop. */
  public void tellQuiet() {
    try {
      destination.released();
    } finally {
      completion.quiet();
    }
  }

  /** Moves to another state; {@link State#DONE} is sticky. */
  public void become(State next) {
    if (state == State.DONE) {
      throw new IllegalStateException("range " + range + " has ended, can't be " + next);
    }
    state = next;
  }

  /** The state. */
  public State state() {
    return state;
  }

  /** Whether the range has ended. */
  public boolean isDone() {
    return state == State.DONE;
  }

  /** The range as it was asked for. */
  public ByteRange range() {
    return range;
  }

  /** Where the bytes go. */
  public Destination destination() {
    return destination;
  }

  /** Who waits. */
  public RangeCompletion completion() {
    return completion;
  }

  /** Where it stands. */
  public ReadPosition position() {
    return progress.position();
  }

  /** Whether nothing was delivered of it since it was asked for last. */
  public boolean isUntouched() {
    return position().isAskedUntouched();
  }

  /** How many bytes its user has, and was told so by: those that a sink was done with. */
  public long consumedBytes() {
    return position().deliveredBytes() - destination.waitingBytes();
  }

  /** The place in the order of submission. */
  public long sequence() {
    return sequence;
  }

  /** The id under which it was asked for last. */
  public long readId() {
    return readId;
  }

  /**
   * How long it has got nothing though it was asked for on a stream that could bring something.
   *
   * @param sinceNanos since when its present stream could
   * @param nowNanos the time
   */
  public long silentNanos(long sinceNanos, long nowNanos) {
    return silentBeforeNanos + Math.min(nowNanos - lastSignNanos, nowNanos - sinceNanos);
  }

  /** Its stream ends: streams that come and go do not excuse each other's silence. */
  public void streamEnds(long sinceNanos, long nowNanos) {
    silentBeforeNanos = silentNanos(sinceNanos, nowNanos);
  }

  @Override
  public String toString() {
    return "RangeRead[" + range + ", " + state + ", id " + readId + ", " + position() + "]";
  }
}
