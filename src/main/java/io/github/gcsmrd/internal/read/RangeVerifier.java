// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.checksum.RunningCrc32c;
import io.github.gcsmrd.internal.wire.RangeData;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The checks of one range: each chunk against its checksum, and the whole object by combining what
 * the chunks gave, never by hashing twice. Confined to the loop of its read.
 */
final class RangeVerifier {
  private final boolean checking;
  private final long start;

  /** The CRC32C of all delivered bytes; null once the range can't be the whole object. */
  private @Nullable RunningCrc32c running;

  private boolean allChecked = true;

  /**
   * Checks, or not.
   *
   * @param checking whether checksums are on
   * @param fromStart whether the range may start at the object's first byte
   */
  RangeVerifier(boolean checking, boolean fromStart) {
    this(checking, fromStart, 0);
  }

  /**
   * Checks, or not.
   *
   * @param checking whether checksums are on
   * @param combining whether the checksum of all bytes is wanted
   * @param start where the range starts
   */
  RangeVerifier(boolean checking, boolean combining, long start) {
    this.checking = checking;
    this.start = start;
    this.running = checking && combining ? new RunningCrc32c() : null;
  }

  /** Whether the bytes of an answer must be hashed. */
  boolean needsHash(RangeData data) {
    return checking && data.content().length() > 0 && (data.hasChecksum() || running != null);
  }

  /** Whether a hash computed for an answer, if it needed one, is the one the service sent. */
  boolean matches(RangeData data, int crc32c) {
    return !checking || !data.hasChecksum() || data.crc32c() == crc32c;
  }

  /** Takes note of bytes about to be delivered, whose answer matched. */
  void delivering(Piece piece, int crc32c, ChunkHasher hasher) {
    RangeData data = piece.data();
    allChecked &= checking && data.hasChecksum();
    RunningCrc32c all = running;
    if (all == null) {
      return;
    }
    if (piece.deliveredFrom() - start != all.length()) {
      running = null;
      return;
    }
    Placement placement = piece.placement();
    boolean complete = placement.take() == data.content().length();
    int crc = complete ? crc32c : hasher.hash(data.content(), placement.skip(), placement.take());
    all.append(crc, placement.take());
  }

  /** The checksum of the bytes if they are the whole of a finalized object. */
  OptionalInt wholeCrc32c(long deliveredBytes, WholeObject object) {
    RunningCrc32c all = running;
    return all != null
            && start == 0
            && object.isKnown()
            && deliveredBytes == object.sizeBytes()
            && all.length() == deliveredBytes
        ? OptionalInt.of(all.crc())
        : OptionalInt.empty();
  }

  /** The checksum of so many delivered bytes, if they are all that it covers. */
  OptionalInt crc32c(long deliveredBytes) {
    RunningCrc32c all = running;
    return all != null && all.length() == deliveredBytes
        ? OptionalInt.of(all.crc())
        : OptionalInt.empty();
  }

  /** Whether every delivered byte was covered by a checksum of its chunk. */
  boolean allChecked() {
    return allChecked;
  }
}
