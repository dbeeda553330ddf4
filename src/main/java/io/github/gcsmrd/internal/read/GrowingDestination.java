// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * An array that holds as many bytes as come. Confined to the loop.
 *
 * <p>It starts with the size that is expected, if that is known and moderate, and doubles: a range
 * longer than its object allocates nothing for bytes that never come.
 */
public final class GrowingDestination implements Destination {
  /** The largest first allocation: what was asked is not always what there is. */
  private static final int MAX_INITIAL_BYTES = 64 << 20;

  /** Some virtual machines can't allocate the last few. */
  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final int initialBytes;
  private byte[] bytes = new byte[0];

  /**
   * Prepares for a number of bytes; nothing is allocated before the first come.
   *
   * @param expectedBytes how many at most, or a guess
   */
  public GrowingDestination(long expectedBytes) {
    this.initialBytes = (int) Math.min(expectedBytes, MAX_INITIAL_BYTES);
  }

  @Override
  public void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory)
      throws DestinationOverflow {
    long needed = position + length;
    if (needed > MAX_ARRAY_BYTES) {
      throw new DestinationOverflow(position, length, MAX_ARRAY_BYTES);
    }
    if (needed > bytes.length) {
      grow(needed);
    }
    content.copyTo(from, length, bytes, (int) position);
  }

  private void grow(long needed) {
    long wanted = Math.max(needed, Math.max(initialBytes, bytes.length * 2L));
    int size = (int) Math.min(wanted, MAX_ARRAY_BYTES);
    bytes = bytes.length == 0 ? new byte[size] : Arrays.copyOf(bytes, size);
  }

  @Override
  public Optional<ByteBuffer> finish(long lengthBytes) {
    byte[] result = lengthBytes == bytes.length ? bytes : Arrays.copyOf(bytes, (int) lengthBytes);
    return Optional.of(ByteBuffer.wrap(result));
  }
}
