// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * What came of a range that succeeded. Immutable but for the state of its buffer, and serializable
 * without it.
 *
 * @param range the range as it was asked for
 * @param offset the offset of its first byte in the object; for a range of 0 bytes the offset asked
 *     for, or 0 if that counted from the end
 * @param length how many bytes were delivered: fewer than asked for where the object ended
 * @param verified whether each of them was checked against a checksum of the service; false if
 *     checks were off, if the service sent a chunk without one, or if there were no bytes
 * @param buffer the bytes, position 0 to limit {@code length}, where the destination was a buffer,
 *     an array or an allocator: a view of it with a position of its own
 */
public record RangeResult(
    ByteRange range, long offset, long length, boolean verified, Optional<ByteBuffer> buffer)
    implements Serializable {

  /** Checks that nothing is null. */
  public RangeResult {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(buffer, "buffer");
  }

  private Object writeReplace() {
    return new Facts(range, offset, length, verified);
  }

  /** What is serialized: neither the bytes nor an Optional can be. */
  private record Facts(ByteRange range, long offset, long length, boolean verified)
      implements Serializable {
    private Object readResolve() {
      return new RangeResult(range, offset, length, verified, Optional.empty());
    }
  }
}
