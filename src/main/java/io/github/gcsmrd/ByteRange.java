// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.io.Serializable;

/**
 * A range of bytes of an object: what a caller asks for. Immutable, thread-safe and serializable.
 *
 * <p>Offsets and lengths are in bytes of the object as it is stored (a gzip-encoded object is not
 * decoded). A range that reaches beyond the end of the object ends there; {@link
 * RangeResult#length()} tells how many bytes there were.
 */
public sealed interface ByteRange extends Serializable {

  /**
   * Returns the range of {@code length} bytes from {@code offset}.
   *
   * @param offset the first byte, 0 or more
   * @param length how many bytes at most, 0 or more; a range of 0 bytes is empty and succeeds
   *     without a request, unless its session has failed or was closed: then it fails as any other
   * @return the range
   * @throws IllegalArgumentException if either is negative or their sum is beyond {@link
   *     Long#MAX_VALUE}
   */
  static ByteRange of(long offset, long length) {
    return new Bounded(offset, length);
  }

  /**
   * Returns the range from {@code offset} to the end of the object.
   *
   * @param offset the first byte, 0 or more; an offset beyond the end fails the range
   * @return the range
   * @throws IllegalArgumentException if the offset is negative
   */
  static ByteRange from(long offset) {
    return new From(offset);
  }

  /**
   * Returns the range of the object's last {@code length} bytes, or all of a smaller object.
   *
   * @param length how many bytes at most, 0 or more
   * @return the range
   * @throws IllegalArgumentException if the length is negative
   */
  static ByteRange last(long length) {
    return new Last(length);
  }

  /**
   * Returns the range of the whole object, whatever its size.
   *
   * @return the range
   */
  static ByteRange all() {
    return All.INSTANCE;
  }

  /**
   * A range of known offset and greatest length.
   *
   * @param offset the first byte
   * @param length how many bytes at most
   */
  record Bounded(long offset, long length) implements ByteRange {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException as {@link ByteRange#of}
     */
    public Bounded {
      requireOffset(offset);
      if (length < 0) {
        throw new IllegalArgumentException("length is negative: " + length);
      }
      if (offset > Long.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "offset + length is beyond Long.MAX_VALUE: " + offset + " + " + length);
      }
    }

    @Override
    public String toString() {
      return "[" + offset + ", " + (offset + length) + ")";
    }
  }

  /**
   * A range from an offset to the end of the object.
   *
   * @param offset the first byte
   */
  record From(long offset) implements ByteRange {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException as {@link ByteRange#from}
     */
    public From {
      requireOffset(offset);
    }

    @Override
    public String toString() {
      return "[" + offset + ", end)";
    }
  }

  /**
   * A range of the last bytes of the object.
   *
   * @param length how many bytes at most
   */
  record Last(long length) implements ByteRange {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException as {@link ByteRange#last}
     */
    public Last {
      if (length < 0) {
        throw new IllegalArgumentException("length is negative: " + length);
      }
    }

    @Override
    public String toString() {
      return "[last " + length + ")";
    }
  }

  /** The whole object. */
  record All() implements ByteRange {
    private static final All INSTANCE = new All();

    @Override
    public String toString() {
      return "[all)";
    }
  }

  private static void requireOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException(
          "offset is negative: " + offset + "; use ByteRange.last(n) for the last n bytes");
    }
  }
}
