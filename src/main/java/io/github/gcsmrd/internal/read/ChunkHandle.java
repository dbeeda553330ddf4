// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A handle on a chunk: it owns one reference to the message's memory until it is closed.
 * Thread-safe.
 *
 * <p>Each access holds a reference of its own while it runs, so that a close by another thread
 * can't free the memory under it.
 */
public final class ChunkHandle implements Chunk {
  /** Smaller chunks are copied when they are kept: they would pin a message up to 16 MiB. */
  static final int COPY_BELOW_BYTES = 64 << 10;

  private static final AtomicIntegerFieldUpdater<ChunkHandle> CLOSED =
      AtomicIntegerFieldUpdater.newUpdater(ChunkHandle.class, "closed");

  private final long offset;
  private final Content content;
  private final int from;
  private final int length;
  private final MessageMemory memory;
  private final boolean received;
  private volatile int closed;

  private ChunkHandle(
      long offset, Content content, int from, int length, MessageMemory memory, boolean received) {
    this.offset = offset;
    this.content = content;
    this.from = from;
    this.length = length;
    this.memory = memory;
    this.received = received;
  }

  /** A handle on memory whose owner holds it meanwhile; it retains. */
  static ChunkHandle view(
      long offset, Content content, int from, int length, MessageMemory memory) {
    memory.retain();
    return new ChunkHandle(offset, content, from, length, memory, true);
  }

  /** A handle to be kept: a view if the chunk is large and its memory may be held, else a copy. */
  static ChunkHandle kept(
      long offset, Content content, int from, int length, MessageMemory memory) {
    return length >= COPY_BELOW_BYTES && memory.mayBeHeld()
        ? view(offset, content, from, length, memory)
        : copied(offset, content, from, length);
  }

  /** A handle on a copy on the heap: nothing is lost if nobody closes it. */
  static ChunkHandle copied(long offset, Content content, int from, int length) {
    Content copy = Content.wrap(content.toByteArray(from, length));
    return new ChunkHandle(offset, copy, 0, length, MessageMemory.ofCopy(length), false);
  }

  /** Whether the handle holds received memory rather than a copy. */
  boolean pinsMessage() {
    return received;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    if (destination.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (destination.remaining() < length) {
      throw new BufferOverflowException();
    }
    enter();
    try {
      content.copyTo(from, length, destination, destination.position());
    } finally {
      memory.release();
    }
    destination.position(destination.position() + length);
  }

  @Override
  public void copyTo(byte[] destination, int offset) {
    Objects.requireNonNull(destination, "destination");
    Objects.checkFromIndexSize(offset, length, destination.length);
    enter();
    try {
      content.copyTo(from, length, destination, offset);
    } finally {
      memory.release();
    }
  }

  @Override
  public void writeTo(WritableByteChannel channel) throws IOException {
    Objects.requireNonNull(channel, "channel");
    enter();
    try {
      List<ByteBuffer> buffers = content.buffers(from, length);
      for (ByteBuffer buffer : buffers) {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
    } finally {
      memory.release();
    }
  }

  @Override
  public List<ByteBuffer> buffers() {
    enter();
    try {
      return content.buffers(from, length);
    } finally {
      memory.release();
    }
  }

  @Override
  public Chunk retain() {
    enter();
    try {
      return kept(offset, content, from, length, memory);
    } finally {
      memory.release();
    }
  }

  @Override
  public void close() {
    if (CLOSED.compareAndSet(this, 0, 1)) {
      memory.release();
    }
  }

  /** Holds the memory for one access. */
  private void enter() {
    if (closed != 0) {
      throw closedHandle();
    }
    try {
      memory.retain();
    } catch (IllegalStateException e) {
      throw closedHandle();
    }
  }

  private IllegalStateException closedHandle() {
    return new IllegalStateException(
        "chunk at offset " + offset + " is closed; retain() it to keep it beyond the sink's call");
  }

  @Override
  public String toString() {
    return "Chunk[offset "
        + offset
        + ", "
        + length
        + " bytes"
        + (closed != 0 ? ", closed" : "")
        + "]";
  }
}
