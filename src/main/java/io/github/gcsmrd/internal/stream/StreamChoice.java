// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Which stream a range goes to, and how many streams are wanted. Stateless and pure. */
final class StreamChoice {
  /**
   * What keeps a stream busy for a while: four chunks of 2 MiB, or about a hundred small ranges.
   * With less on each, another stream would cost more than it brings.
   */
  static final long BUSY_BYTES = 8L << 20;

  /** What a range weighs beyond its bytes: a hundred small ones are worth a stream too. */
  static final long RANGE_BYTES = 64 << 10;

  /** A range without a known end, or a longer one, weighs no more than this. */
  static final long HEAVIEST_BYTES = 64L << 20;

  /** A stream to choose from. */
  interface Candidate {
    /** What is to be expected of it. */
    StreamHealth health();

    /** What it has to bring. */
    long loadBytes();

    /** Whether it lives on the home loop. */
    boolean isHome();
  }

  private StreamChoice() {}

  /** What a range weighs. */
  static long weigh(RangeRead read) {
    long lengthBytes = read.position().lengthIn(OptionalLong.empty());
    long capped = lengthBytes < 0 ? HEAVIEST_BYTES : Math.min(lengthBytes, HEAVIEST_BYTES);
    return RANGE_BYTES + capped;
  }

  /**
   * The least loaded of the healthiest. One that is open and one that will be count as equally
   * healthy: a range can be sent with the open.
   *
   * @param candidates one at least
   * @param anyLoop whether it may be one on another loop than the home loop
   * @return null if none is on the home loop and it must be
   */
  static <T extends Candidate> @Nullable T choose(List<T> candidates, boolean anyLoop) {
    @Nullable T best = null;
    for (int i = 0; i < candidates.size(); i++) {
      T candidate = candidates.get(i);
      if ((anyLoop || candidate.isHome()) && (best == null || isBetter(candidate, best))) {
        best = candidate;
      }
    }
    return best;
  }

  private static boolean isBetter(Candidate one, Candidate other) {
    int byHealth = Integer.compare(rank(one.health()), rank(other.health()));
    return byHealth < 0 || (byHealth == 0 && one.loadBytes() < other.loadBytes());
  }

  private static int rank(StreamHealth health) {
    return switch (health) {
      case OPEN, FRESH -> 0;
      case TROUBLED -> 1;
      case ENDED -> 2;
    };
  }

  /** How many streams a load is worth. */
  static int wanted(long loadBytes, int least, int most) {
    long worth = (loadBytes + BUSY_BYTES - 1) / BUSY_BYTES;
    return (int) Math.max(least, Math.min(most, worth));
  }
}
