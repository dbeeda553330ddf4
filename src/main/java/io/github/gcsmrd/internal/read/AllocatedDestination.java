// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of the caller's allocator. Confined to the loop but for {@link #prepare} and {@link
 * #released}, which run elsewhere, strictly before and after.
 *
 * <p>The buffer is either in the result or released, exactly once.
 */
public final class AllocatedDestination implements Destination {
  private final IntFunction<ByteBuffer> allocator;
  private final Consumer<ByteBuffer> release;
  private @Nullable ByteBuffer owned;
  private @Nullable BufferDestination buffer;

  /** Allocates and releases by the caller's functions. */
  public AllocatedDestination(IntFunction<ByteBuffer> allocator, Consumer<ByteBuffer> release) {
    this.allocator = allocator;
    this.release = release;
  }

  @Override
  public boolean needsLength() {
    return buffer == null;
  }

  @Override
  public boolean isMovable() {
    return buffer != null;
  }

  @Override
  public void prepare(long lengthBytes) throws DestinationOverflow, UserCodeFault {
    if (lengthBytes > Integer.MAX_VALUE) {
      throw DestinationOverflow.ofAnyBuffer(lengthBytes);
    }
    ByteBuffer given = allocator.apply((int) lengthBytes);
    if (given == null) {
      throw new UserCodeFault(
          "the allocator returned null, not a buffer of "
              + lengthBytes
              + " bytes; it throws if it has none");
    }
    owned = given;
    if (given.isReadOnly()) {
      throw new UserCodeFault(
          "the allocator returned a read-only buffer: " + given + "; it must be writable");
    }
    if (given.remaining() < lengthBytes) {
      throw new UserCodeFault(
          "the allocator returned a buffer with "
              + given.remaining()
              + " bytes remaining, not "
              + lengthBytes
              + " or more: "
              + given);
    }
    buffer = new BufferDestination(given.slice().slice(0, (int) lengthBytes));
  }

  @Override
  public void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory)
      throws DestinationOverflow {
    BufferDestination target = buffer;
    if (target == null) {
      throw new IllegalStateException("bytes came before the buffer was allocated");
    }
    target.deliver(position, offset, content, from, length, memory);
  }

  /** The allocator's own buffer where it can be: callers may know theirs by identity. */
  @Override
  public Optional<ByteBuffer> finish(long lengthBytes) {
    ByteBuffer given = owned;
    BufferDestination target = buffer;
    if (given == null || target == null) {
      return Optional.empty();
    }
    return given.position() == 0
        ? Optional.of(given.limit((int) lengthBytes))
        : target.finish(lengthBytes);
  }

  @Override
  public void claimed() {
    owned = null;
  }

  @Override
  public void released() {
    ByteBuffer given = owned;
    owned = null;
    if (given != null) {
      release.accept(given);
    }
  }
}
