// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.ByteRange;
import java.util.OptionalLong;

/**
 * Where a range stands: what was asked, what came, what was delivered, in absolute offsets.
 * Confined to the loop of its stream; pure arithmetic.
 *
 * <p>Invariant once resolved: {@code start <= delivered <= received <= askedEnd <= end}. A range
 * that counts from the end is unresolved until its first chunk tells the real offset (protocol: the
 * answer to a negative offset carries the positive one).
 *
 * <p>A length beside a negative offset is not honoured everywhere, so such a range can't be asked
 * for in parts. If it is longer than what the destination can take, the last byte of the object is
 * asked for first: its offset, as a probe, tells where the range starts.
 */
public final class ReadPosition {
  /** The end of a range to the end of the object. */
  public static final long OPEN_END = Long.MAX_VALUE;

  private static final long UNRESOLVED = -1;

  private final long suffixBytes;
  private long start;
  private long end;
  private long received;
  private long delivered;
  private long askedStart;
  private long askedEnd;
  private boolean probing;

  /** A probe was answered and checked: its offset holds even if nothing was delivered yet. */
  private boolean anchored;

  private ReadPosition(long start, long end, long suffixBytes) {
    this.start = start;
    this.end = end;
    this.suffixBytes = suffixBytes;
    this.received = start;
    this.delivered = start;
    this.askedStart = start;
    this.askedEnd = end;
  }

  /** The position at the beginning of a range, which must not be empty. */
  public static ReadPosition of(ByteRange range) {
    if (range instanceof ByteRange.Bounded bounded) {
      return new ReadPosition(bounded.offset(), bounded.offset() + bounded.length(), 0);
    }
    if (range instanceof ByteRange.From from) {
      return new ReadPosition(from.offset(), OPEN_END, 0);
    }
    if (range instanceof ByteRange.Last last) {
      return new ReadPosition(UNRESOLVED, OPEN_END, last.length());
    }
    return new ReadPosition(0, OPEN_END, 0);
  }

  /** Whether the range has no bytes by what was asked. */
  public static boolean isEmpty(ByteRange range) {
    if (range instanceof ByteRange.Bounded bounded) {
      return bounded.length() == 0;
    }
    return range instanceof ByteRange.Last last && last.length() == 0;
  }

  /** Whether the first byte's absolute offset is known. */
  boolean isResolved() {
    return start != UNRESOLVED;
  }

  /** The offset of the first byte, or 0 while unresolved. */
  public long start() {
    return Math.max(start, 0);
  }

  /** The offset after the last byte asked for, or {@link #OPEN_END}. */
  long end() {
    return end;
  }

  /** The next offset expected from the stream. */
  long received() {
    return received;
  }

  /** The offset up to which the destination has the bytes: where a resumed read starts. */
  public long delivered() {
    return Math.max(delivered, 0);
  }

  /** How many bytes the destination has. */
  public long deliveredBytes() {
    return isResolved() ? delivered - start : 0;
  }

  /**
   * How many bytes the range has at most in an object of a size.
   *
   * @return the number, or -1 if nobody can tell
   */
  public long lengthIn(OptionalLong objectBytes) {
    if (end != OPEN_END) {
      return end - start;
    }
    if (!isResolved()) {
      return suffixBytes;
    }
    return objectBytes.isPresent() ? Math.max(0, objectBytes.getAsLong() - start) : -1;
  }

  /**
   * Starts over from the delivered bytes. A range that counts from the end, and of which none was
   * delivered, counts from the end again, unless a probe was answered: nothing else vouches for the
   * offset that came.
   *
   * @param creditBytes what the destination can take
   */
  void ask(long creditBytes) {
    if (suffixBytes > 0 && delivered == start && !anchored) {
      start = UNRESOLVED;
      delivered = UNRESOLVED;
      end = OPEN_END;
    }
    probing = !isResolved() && suffixBytes > creditBytes;
    received = delivered;
    askedStart = delivered;
    askedEnd = isResolved() && creditBytes < end - delivered ? delivered + creditBytes : end;
  }

  /** The offset to put on the wire: negative while unresolved. */
  public long wireOffset() {
    if (probing) {
      return -1;
    }
    return isResolved() ? delivered : -suffixBytes;
  }

  /** The length to put on the wire: never 0 for a bounded rest, since 0 means to the end. */
  public long wireLength() {
    return askedEnd == OPEN_END ? 0 : askedEnd - delivered;
  }

  /** Whether only the last byte's offset was asked for, and has come. */
  boolean isProbed() {
    return probing && isResolved();
  }

  /** The answer to the probe holds: the range is where that says. */
  void anchor() {
    anchored = true;
  }

  /** What came may have been wrong: a range of which nothing was delivered is looked for anew. */
  void rewind() {
    anchored = false;
    ask(Destination.UNLIMITED);
  }

  /** How many bytes may still come of what was asked last: all there is, if that is not limited. */
  public long unreceivedBytes() {
    if (!isResolved()) {
      return probing ? 1 : suffixBytes;
    }
    return askedEnd == OPEN_END ? OPEN_END : askedEnd - received;
  }

  /** Whether nothing was delivered of what was asked last. */
  boolean isAskedUntouched() {
    return delivered == askedStart;
  }

  /** Whether all bytes of what was asked last have come. */
  boolean isAskedReceived() {
    return isResolved() && received == askedEnd;
  }

  /** Whether what was asked last is all of the range. */
  boolean isAskedWhole() {
    return askedEnd == end;
  }

  /** Whether every byte of a range of known end is delivered. */
  boolean isDelivered() {
    return isResolved() && delivered == end;
  }

  /**
   * Places a chunk and advances the received offset by the bytes that are new and wanted.
   *
   * @param offset the chunk's absolute offset
   * @param length its length, more than 0
   */
  Placement place(long offset, int length) {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      return Placement.misplaced();
    }
    if (probing) {
      return placeProbe(offset, length);
    }
    if (!isResolved()) {
      long after = offset > Long.MAX_VALUE - suffixBytes ? OPEN_END : offset + suffixBytes;
      resolve(offset, after);
    }
    if (offset > received) {
      return Placement.misplaced();
    }
    long seen = Math.min(received - offset, length);
    long fresh = length - seen;
    long taken = Math.min(fresh, askedEnd - received);
    received += taken;
    return new Placement((int) seen, (int) taken, (int) (fresh - taken));
  }

  /** Counts bytes as delivered. */
  void deliver(int bytes) {
    delivered += bytes;
  }

  /** The object's last byte: the range ends there, whatever is appended from now on. */
  private Placement placeProbe(long offset, int length) {
    if (isResolved() || length != 1) {
      return Placement.misplaced();
    }
    long size = offset + 1;
    resolve(Math.max(0, size - suffixBytes), size);
    return Placement.nothing();
  }

  private void resolve(long first, long after) {
    start = first;
    received = first;
    delivered = first;
    askedStart = first;
    end = after;
    askedEnd = after;
  }

  @Override
  public String toString() {
    return "ReadPosition[start "
        + start
        + ", delivered "
        + delivered
        + ", received "
        + received
        + ", asked to "
        + askedEnd
        + ", end "
        + end
        + "]";
  }
}
