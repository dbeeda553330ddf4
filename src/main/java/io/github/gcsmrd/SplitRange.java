// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.checksum.RunningCrc32c;
import io.github.gcsmrd.internal.read.BufferDestination;
import io.github.gcsmrd.internal.read.RangeCompletion;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.WholeObject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One large range that several streams read in parts, each into its place in one buffer.
 * Thread-safe.
 *
 * <p>It ends when all parts have ended: with what there is up to the first part that the object's
 * end cut short, or with the first failure, which gives the other parts up. If the parts are the
 * whole object, their checksums combined are checked against the object's.
 */
final class SplitRange {
  /** Shorter parts would not be worth a stream each. */
  static final long LEAST_PART_BYTES = 8L << 20;

  /** The service's usual chunk: parts start where chunks do, if the range does. */
  private static final long CHUNK_BYTES = 2L << 20;

  private final ByteRange.Bounded range;
  private final ByteBuffer slice;
  private final RangeFuture whole;
  private final Supplier<Optional<ObjectInfo>> object;
  private final List<RangeRead> reads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** What a part was told of which nothing came: it lies beyond the end, if the end is there. */
  private final AtomicReference<@Nullable Throwable> beyond = new AtomicReference<>();

  private final AtomicInteger open;
  private final AtomicInteger noisy;

  /**
   * A range in parts that were not submitted.
   *
   * @param parts how many, 2 or more
   * @param slice where it goes
   * @param whole who waits
   * @param checking whether checksums are on
   * @param object what is known of the object, once bytes of it came
   */
  SplitRange(
      ByteRange.Bounded range,
      int parts,
      ByteBuffer slice,
      RangeFuture whole,
      boolean checking,
      Supplier<Optional<ObjectInfo>> object) {
    this.range = range;
    this.slice = slice;
    this.whole = whole;
    this.object = object;
    long even = (range.length() + parts - 1) / parts;
    long partBytes = (even + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
    for (long done = 0; done < range.length(); done += partBytes) {
      long length = Math.min(partBytes, range.length() - done);
      reads.add(
          RangeRead.part(
              ByteRange.of(range.offset() + done, length),
              new BufferDestination(slice.slice((int) done, (int) length)),
              new Part(done > 0),
              checking));
    }
    this.open = new AtomicInteger(reads.size());
    this.noisy = new AtomicInteger(reads.size());
  }

  /** In how many parts a range is read best; 1 if it stays whole. */
  static int parts(ByteRange range, int streams) {
    return range instanceof ByteRange.Bounded bounded
        ? (int) Math.max(1, Math.min(streams, bounded.length() / LEAST_PART_BYTES))
        : 1;
  }

  List<RangeRead> reads() {
    return reads;
  }

  private void failed(Throwable thrown) {
    if (failure.compareAndSet(null, thrown)) {
      whole.giveUpReads();
    }
  }

  private void partEnded() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    Throwable thrown = failure.get();
    try {
      if (thrown == null) {
        succeed();
      } else {
        whole.fail(thrown);
      }
    } catch (RuntimeException | Error fault) {
      whole.fail(fault);
    } finally {
      whole.ended();
    }
  }

  private void succeed() {
    long length = 0;
    boolean verified = true;
    RunningCrc32c crc = new RunningCrc32c();
    for (RangeRead read : reads) {
      RangeResult part = read.progress().result();
      OptionalInt partCrc = read.progress().crc32c();
      if (partCrc.isPresent()) {
        crc.append(partCrc.getAsInt(), part.length());
      }
      length += part.length();
      verified &= part.verified() || part.length() == 0;
      if (part.length() < ((ByteRange.Bounded) part.range()).length()) {
        // The object ends here; what is behind, if it grew meanwhile, has a gap before it.
        break;
      }
    }
    Throwable refused = beyond.get();
    if (refused != null && length < knownLength()) {
      whole.fail(refused);
      return;
    }
    OptionalInt expected = wholeCrc32c(length, crc);
    if (expected.isPresent() && expected.getAsInt() != crc.crc()) {
      whole.fail(mismatch(length, expected.getAsInt(), crc.crc()));
    } else if (whole.claim()) {
      boolean checked = length > 0 && (verified || expected.isPresent());
      ByteBuffer result = slice.duplicate().position(0).limit((int) length);
      whole.succeed(new RangeResult(range, range.offset(), length, checked, Optional.of(result)));
    }
  }

  private WholeObject end() {
    return object.get().map(WholeObject::of).orElse(WholeObject.UNKNOWN);
  }

  /** How many bytes the range has for sure: those of a finalized object. */
  private long knownLength() {
    WholeObject end = end();
    return end.isKnown() ? Math.min(range.length(), end.sizeBytes() - range.offset()) : 0;
  }

  /** The object's own checksum, if this is all of it and nothing was left out of ours. */
  private OptionalInt wholeCrc32c(long length, RunningCrc32c crc) {
    WholeObject end = end();
    boolean all =
        range.offset() == 0 && length > 0 && crc.length() == length && end.sizeBytes() == length;
    return all ? end.crc32c() : OptionalInt.empty();
  }

  private DataCorruptionException mismatch(long length, int expected, int actual) {
    ObjectInfo info = object.get().orElseThrow();
    FailureContext context =
        new FailureContext(
            info.bucket(),
            info.object(),
            info.generation(),
            Optional.of(range),
            length,
            1,
            Duration.ZERO,
            StatusCode.DATA_LOSS,
            List.of());
    return new DataCorruptionException(
        "the whole object does not match its checksum", context, 0, expected, actual, null);
  }

  /** Who waits for a part. */
  private final class Part implements RangeCompletion {
    /** Whether it may lie beyond the object's end while the range does not. */
    private final boolean further;

    Part(boolean further) {
      this.further = further;
    }

    @Override
    public boolean isAbandoned() {
      return whole.isAbandoned() || failure.get() != null;
    }

    @Override
    public boolean claim() {
      return !isAbandoned();
    }

    @Override
    public void succeed(RangeResult result) {
      // It is taken from the part once all have ended.
    }

    @Override
    public void fail(Throwable thrown) {
      boolean empty =
          further
              && thrown instanceof RangeNotSatisfiableException refused
              && refused.context().bytesDelivered() == 0;
      if (empty) {
        beyond.compareAndSet(null, thrown);
      } else {
        failed(thrown);
      }
    }

    @Override
    public void ended() {
      partEnded();
    }

    @Override
    public void quiet() {
      if (noisy.decrementAndGet() == 0) {
        whole.quiet();
      }
    }
  }
}
