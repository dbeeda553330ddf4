// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The payload of one chunk, as views of its message's memory. Made and hashed by {@link #update} on
 * the loop that received it; its other methods move no position, so any number of threads may call
 * them at once, though not while {@code update} runs.
 *
 * <p>Its buffers are its own objects: nobody else moves their positions. Each has its payload
 * exactly between position and limit, and none is empty. It owns no reference to the memory: see
 * the package's rules.
 */
public final class Content {
  private static final Content EMPTY = new Content(new ByteBuffer[0], 0);

  private final ByteBuffer[] buffers;
  private final int length;

  /** Takes over the array and the buffers in it, which together hold {@code length} bytes. */
  Content(ByteBuffer[] buffers, int length) {
    this.buffers = buffers;
    this.length = length;
  }

  /** The content of no bytes. */
  public static Content empty() {
    return EMPTY;
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** In how many buffers the bytes lie. */
  public int bufferCount() {
    return buffers.length;
  }

  /**
   * Copies bytes to {@code dst} from its index {@code dstIndex} on, whatever its position, which
   * stays. Nothing is copied if they don't fit below its limit.
   *
   * @throws IndexOutOfBoundsException if the bytes are not there or don't fit
   */
  public void copyTo(int from, int length, ByteBuffer dst, int dstIndex) {
    Objects.checkFromIndexSize(from, length, this.length);
    Objects.checkFromIndexSize(dstIndex, length, dst.limit());
    int skip = from;
    int done = 0;
    for (int i = 0; done < length; i++) {
      ByteBuffer buffer = buffers[i];
      int step = Math.min(length - done, buffer.remaining() - skip);
      if (step > 0) {
        dst.put(dstIndex + done, buffer, buffer.position() + skip, step);
        done += step;
        skip = 0;
      } else {
        skip -= buffer.remaining();
      }
    }
  }

  /**
   * Copies bytes to {@code dst} from {@code dstIndex} on.
   *
   * @throws IndexOutOfBoundsException if the bytes are not there or don't fit
   */
  public void copyTo(int from, int length, byte[] dst, int dstIndex) {
    copyTo(from, length, ByteBuffer.wrap(dst), dstIndex);
  }

  /** Copies bytes to an array of their own. */
  public byte[] toByteArray(int from, int length) {
    Objects.checkFromIndexSize(from, length, this.length);
    byte[] bytes = new byte[length];
    copyTo(from, length, bytes, 0);
    return bytes;
  }

  /**
   * Makes fresh read-only views of bytes, each with position 0 and none empty.
   *
   * @return a list that can't be changed
   */
  public List<ByteBuffer> buffers(int from, int length) {
    Objects.checkFromIndexSize(from, length, this.length);
    ByteBuffer[] views = new ByteBuffer[buffers.length];
    int count = 0;
    int skip = from;
    int left = length;
    for (int i = 0; left > 0; i++) {
      ByteBuffer buffer = buffers[i];
      int step = Math.min(left, buffer.remaining() - skip);
      if (step > 0) {
        views[count++] = buffer.slice(buffer.position() + skip, step).asReadOnlyBuffer();
        left -= step;
        skip = 0;
      } else {
        skip -= buffer.remaining();
      }
    }
    return List.of(Arrays.copyOf(views, count));
  }

  /**
   * Hashes bytes where they lie. Moves positions while it runs, so only the loop that made this
   * calls it, and only while no other thread reads.
   */
  public void update(CRC32C crc, int from, int length) {
    Objects.checkFromIndexSize(from, length, this.length);
    int skip = from;
    int left = length;
    for (int i = 0; left > 0; i++) {
      ByteBuffer buffer = buffers[i];
      int step = Math.min(left, buffer.remaining() - skip);
      if (step > 0) {
        hash(crc, buffer, skip, step);
        left -= step;
        skip = 0;
      } else {
        skip -= buffer.remaining();
      }
    }
  }

  /** The original object, since a read-only view of a heap buffer would be hashed slowly. */
  private static void hash(CRC32C crc, ByteBuffer buffer, int skip, int length) {
    int position = buffer.position();
    int limit = buffer.limit();
    buffer.limit(position + skip + length).position(position + skip);
    crc.update(buffer);
    buffer.limit(limit).position(position);
  }

  /** Hashes all bytes through views of its own, so that other threads may read meanwhile. */
  public void updateShared(CRC32C crc) {
    for (ByteBuffer buffer : buffers) {
      crc.update(buffer.duplicate());
    }
  }
}
