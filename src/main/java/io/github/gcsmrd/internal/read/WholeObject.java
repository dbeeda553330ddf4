// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.ObjectInfo;
import java.util.OptionalInt;

/**
 * What is known for sure of the object's end: only a finalized object has one. Immutable.
 *
 * @param sizeBytes the final size, or {@link #UNKNOWN_SIZE}
 * @param crc32c the checksum of all bytes, if known
 */
public record WholeObject(long sizeBytes, OptionalInt crc32c) {
  /** The size of an object that can grow, or of which nothing is known. */
  public static final long UNKNOWN_SIZE = -1;

  /** Nothing is known. */
  public static final WholeObject UNKNOWN = new WholeObject(UNKNOWN_SIZE, OptionalInt.empty());

  /** Takes from the metadata what can be relied on. */
  public static WholeObject of(ObjectInfo info) {
    if (!info.isFinalized() || info.sizeBytes().isEmpty()) {
      return UNKNOWN;
    }
    return new WholeObject(info.sizeBytes().getAsLong(), info.crc32c());
  }

  /** Whether the end is known. */
  public boolean isKnown() {
    return sizeBytes != UNKNOWN_SIZE;
  }
}
