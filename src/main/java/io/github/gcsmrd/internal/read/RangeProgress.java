// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.retry.EarlierFailure;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.RangeData;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What of a range was checked and delivered, and what each further answer leads to. Confined to the
 * loop of the range's session.
 *
 * <p>It decides and delivers; whoever asked does what was decided.
 */
public final class RangeProgress {
  /**
   * How often a range goes to another stream without a byte. Then it waits for its own, whose
   * budget of failures ends it: no range goes round among streams that break in turn.
   */
  static final int MAX_MOVES = 3;

  private final ByteRange range;
  private final Destination destination;
  private final RangeVerifier verifier;
  private final ReadPosition position;
  private int repairs;

  /** Of the faults since the last delivered byte, those that were mended. */
  private List<EarlierFailure> earlier = List.of();

  private long firstFaultNanos;
  private int moves;
  private boolean wholeChecked;

  /**
   * Nothing was delivered yet.
   *
   * @param part whether the checksum of its bytes is wanted, wherever they start
   */
  RangeProgress(ByteRange range, Destination destination, boolean checking, boolean part) {
    this.range = range;
    this.destination = destination;
    this.position = ReadPosition.of(range);
    this.verifier = new RangeVerifier(checking, part || position.start() == 0, position.start());
  }

  ReadPosition position() {
    return position;
  }

  /** Repairs since its last delivered byte. */
  public int repairs() {
    return repairs;
  }

  /** Whether the bytes of an answer must be hashed before it is settled. */
  public boolean needsHash(Piece piece) {
    return piece.fault() == null && verifier.needsHash(piece.data());
  }

  /**
   * Checks an answer, delivers its bytes and decides what follows.
   *
   * @param piece the oldest one not settled
   * @param crc32c its hash, if it needs one
   * @param hasher for parts of it
   * @param memory the memory it lies in, held by the caller meanwhile
   * @param object what is known of the object's end
   */
  public ReadStep settle(
      Piece piece, int crc32c, ChunkHasher hasher, MessageMemory memory, WholeObject object) {
    ReadFault fault = piece.fault();
    if (fault != null) {
      return new ReadStep.Repair(fault);
    }
    RangeData data = piece.data();
    if (!verifier.matches(data, crc32c)) {
      return new ReadStep.Repair(
          new ReadFault.Corrupt(data.offset(), data.content().length(), data.crc32c(), crc32c));
    }
    ReadFault misfit = misfit(piece, object);
    if (misfit != null) {
      return new ReadStep.Repair(misfit);
    }
    if (piece.placement().take() > 0) {
      verifier.delivering(piece, crc32c, hasher);
      RangeFailure failure = deliver(piece, memory);
      if (failure != null) {
        return new ReadStep.Fail(failure);
      }
    }
    if (piece.ends()) {
      return end(piece, object);
    }
    return piece.placement().surplus() > 0 ? surplus(piece) : ReadStep.CONTINUE;
  }

  /** What is wrong with the place of an answer's bytes in an object whose end is known. */
  private @Nullable ReadFault misfit(Piece piece, WholeObject object) {
    int take = piece.placement().take();
    if (take == 0 || !object.isKnown()) {
      return null;
    }
    long beyond = piece.deliveredFrom() + take - object.sizeBytes();
    if (beyond > 0) {
      return new ReadFault.Surplus(beyond);
    }
    if (range instanceof ByteRange.Last last && position.deliveredBytes() == 0) {
      long first = Math.max(0, object.sizeBytes() - last.length());
      if (piece.deliveredFrom() != first) {
        return new ReadFault.Misplaced(first, piece.deliveredFrom(), take);
      }
    }
    return null;
  }

  private @Nullable RangeFailure deliver(Piece piece, MessageMemory memory) {
    int take = piece.placement().take();
    try {
      destination.deliver(
          position.deliveredBytes(),
          piece.deliveredFrom(),
          piece.data().content(),
          piece.placement().skip(),
          take,
          memory);
    } catch (DestinationOverflow e) {
      return new RangeFailure.Overflow(String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      return new RangeFailure.UserCode(e);
    }
    position.deliver(take);
    repairs = 0;
    moves = 0;
    return null;
  }

  private ReadStep surplus(Piece piece) {
    return new ReadStep.Repair(new ReadFault.Surplus(piece.placement().surplus()));
  }

  private ReadStep end(Piece piece, WholeObject object) {
    if (position.isProbed()) {
      return probed(piece, object);
    }
    boolean beyondObject = object.isKnown() && position.delivered() >= object.sizeBytes();
    if (position.isAskedReceived() && !position.isAskedWhole() && !beyondObject) {
      return piece.placement().surplus() > 0 ? surplus(piece) : ReadStep.ASK_ON;
    }
    long missing = missingBytes(object);
    if (missing > 0) {
      long there = position.deliveredBytes();
      return new ReadStep.Repair(new ReadFault.TooShort(there, there + missing));
    }
    return complete(object);
  }

  private ReadStep probed(Piece piece, WholeObject object) {
    RangeData last = piece.data();
    if (object.isKnown() && last.offset() + 1 != object.sizeBytes()) {
      return new ReadStep.Repair(new ReadFault.Misplaced(object.sizeBytes() - 1, last.offset(), 1));
    }
    position.anchor();
    return ReadStep.ASK_ON;
  }

  /** How many bytes must still come, by the size of a finalized object; 0 if nobody can tell. */
  private long missingBytes(WholeObject object) {
    if (!object.isKnown()) {
      return 0;
    }
    if (!position.isResolved()) {
      return range instanceof ByteRange.Last last ? Math.min(last.length(), object.sizeBytes()) : 0;
    }
    return Math.min(position.end(), object.sizeBytes()) - position.delivered();
  }

  /** Everything is delivered: checks the whole object if that is what was read. */
  private ReadStep complete(WholeObject object) {
    OptionalInt actual = verifier.wholeCrc32c(position.deliveredBytes(), object);
    if (actual.isPresent() && object.crc32c().isPresent()) {
      int expected = object.crc32c().getAsInt();
      if (expected != actual.getAsInt()) {
        return new ReadStep.Fail(new RangeFailure.WholeMismatch(expected, actual.getAsInt()));
      }
      wholeChecked = position.deliveredBytes() > 0;
    }
    return ReadStep.FINISHED;
  }

  /**
   * The stream broke, or the read is to be asked for again: forgets what came but was not
   * delivered.
   *
   * @return {@link ReadStep#CONTINUE} if it must be asked for again; {@link ReadStep#FINISHED} if
   *     only the word that it is over was lost; a failed check otherwise
   */
  ReadStep rewind(WholeObject object) {
    position.rewind();
    return lacksOnlyTheEnd(object) ? complete(object) : ReadStep.CONTINUE;
  }

  /** Whether nothing is missing but the server's word that it is over. */
  public boolean lacksOnlyTheEnd(WholeObject object) {
    return position.isDelivered()
        || (object.isKnown()
            && position.deliveredBytes() > 0
            && position.delivered() >= object.sizeBytes());
  }

  /**
   * Whether "out of range" only says that there is nothing at the end: nothing can lie before the
   * first byte, and a read that was resumed there has had what there was.
   */
  public boolean isEndOfObject(WholeObject object) {
    if (position.deliveredBytes() > 0) {
      return position.isAskedUntouched() && missingBytes(object) == 0;
    }
    boolean nothingBefore = !position.isResolved() || position.start() == 0;
    return nothingBefore && (!object.isKnown() || object.sizeBytes() == 0);
  }

  /** The server said that nothing follows: the range is over, if its last check holds. */
  public ReadStep endOfObject(WholeObject object) {
    return complete(object);
  }

  /** Counts a repair; returns false once the budget is used up. */
  public boolean repair(ReadFault fault, int limit, long nowNanos) {
    if (repairs == 0) {
      firstFaultNanos = nowNanos;
      earlier = new ArrayList<>(limit);
    }
    repairs++;
    boolean allowed = repairs <= limit;
    if (allowed) {
      earlier.add(new EarlierFailure(repairs, sinceFirstFault(nowNanos), fault.describe()));
    }
    return allowed;
  }

  private Duration sinceFirstFault(long nowNanos) {
    return Duration.ofNanos(nowNanos - firstFaultNanos);
  }

  /** The failure of a range whose answer was wrong once too often. */
  public RangeFailure exhausted(ReadFault last, long nowNanos) {
    return new RangeFailure.RepairsExhausted(
        last, repairs, sinceFirstFault(nowNanos), List.copyOf(earlier));
  }

  /** Counts that it went to another stream. */
  void moved() {
    moves++;
  }

  /** Whether it may go to another stream. */
  boolean mayMove() {
    return moves < MAX_MOVES;
  }

  /** The CRC32C of the delivered bytes, where it is kept and nothing is missing from it. */
  public OptionalInt crc32c() {
    return verifier.crc32c(position.deliveredBytes());
  }

  /** The result, once the range is finished and its destination idle. */
  public RangeResult result() {
    long length = position.deliveredBytes();
    Optional<ByteBuffer> buffer = destination.finish(length);
    boolean verified = length > 0 && (verifier.allChecked() || wholeChecked);
    return new RangeResult(range, position.start(), length, verified, buffer);
  }
}
