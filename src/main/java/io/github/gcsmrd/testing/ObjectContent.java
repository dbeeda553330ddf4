// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The bytes of an object of {@link FakeGcs}, readable at any offset. Implementations are immutable
 * and thread-safe.
 *
 * <p>Tests compare what they received with it; see {@link #matches}.
 */
public interface ObjectContent {

  /**
   * Returns the number of bytes.
   *
   * @return 0 or more
   */
  long size();

  /**
   * Copies bytes out.
   *
   * @param offset the first byte, 0 or more
   * @param target where the bytes go
   * @param targetOffset where in the target the first byte goes
   * @param length how many bytes
   * @throws IndexOutOfBoundsException if the bytes or their place do not exist
   */
  void read(long offset, byte[] target, int targetOffset, int length);

  /**
   * Returns a copy of some bytes.
   *
   * @param offset the first byte, 0 or more
   * @param length how many bytes
   * @return a new array
   * @throws IndexOutOfBoundsException if there are no such bytes
   */
  default byte[] read(long offset, int length) {
    byte[] bytes = new byte[length];
    read(offset, bytes, 0, length);
    return bytes;
  }

  /**
   * Returns whether the bytes from an offset on are those of a buffer.
   *
   * @param offset the first byte, 0 or more
   * @param actual the bytes to compare; its position stays
   * @return false also if the content ends before the buffer does
   */
  default boolean matches(long offset, ByteBuffer actual) {
    Objects.requireNonNull(actual, "actual");
    if (offset < 0 || offset > size() - actual.remaining()) {
      return false;
    }
    byte[] expected = new byte[Math.min(actual.remaining(), 1 << 16)];
    ByteBuffer rest = actual.duplicate();
    for (long at = offset; rest.hasRemaining(); ) {
      int step = Math.min(rest.remaining(), expected.length);
      read(at, expected, 0, step);
      ByteBuffer piece = rest.slice(rest.position(), step);
      if (!piece.equals(ByteBuffer.wrap(expected, 0, step))) {
        return false;
      }
      rest.position(rest.position() + step);
      at += step;
    }
    return true;
  }

  /**
   * Checks that there are some bytes, for implementations of {@link #read(long, byte[], int, int)}.
   *
   * @param offset the first byte
   * @param length how many bytes
   * @throws IndexOutOfBoundsException if there are no such bytes
   */
  default void requireInside(long offset, int length) {
    if (offset < 0 || length < 0 || offset > size() - length) {
      throw new IndexOutOfBoundsException(
          length + " bytes from " + offset + " of a content of " + size());
    }
  }

  /**
   * Returns content of given bytes.
   *
   * @param bytes the content; copied
   * @return the content
   */
  static ObjectContent of(byte[] bytes) {
    return new BytesContent(Objects.requireNonNull(bytes, "bytes").clone());
  }

  /**
   * Returns content made up from a seed, without memory: any size up to {@link Long#MAX_VALUE}.
   *
   * <p>The bytes look random: two places of the content, or of contents of different seeds, are as
   * good as never equal over a few bytes.
   *
   * @param seed what the bytes depend on
   * @param size the number of bytes
   * @return the content
   * @throws IllegalArgumentException if the size is negative
   */
  static ObjectContent generated(long seed, long size) {
    return new GeneratedContent(seed, size);
  }

  /**
   * Returns the content of a file, read when it is asked for. The file must not change.
   *
   * @param file a regular file
   * @return the content, of the file's size now
   * @throws IOException if it is no regular file, or its size can't be found out
   */
  static ObjectContent ofFile(Path file) throws IOException {
    return FileContent.of(file);
  }
}
