// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A caller's buffer or array: position 0 of the slice is the range's first byte. Confined to the
 * loop.
 */
public final class BufferDestination implements Destination {
  private final ByteBuffer slice;

  /** Writes into a slice that only this destination uses. */
  public BufferDestination(ByteBuffer slice) {
    this.slice = slice;
  }

  @Override
  public void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory)
      throws DestinationOverflow {
    if (position + length > slice.capacity()) {
      throw new DestinationOverflow(position, length, slice.capacity());
    }
    content.copyTo(from, length, slice, (int) position);
  }

  @Override
  public Optional<ByteBuffer> finish(long lengthBytes) {
    return Optional.of(slice.duplicate().position(0).limit((int) lengthBytes));
  }
}
