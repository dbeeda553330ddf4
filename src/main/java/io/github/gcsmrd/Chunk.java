// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/**
 * A handle on consecutive bytes of an object, as a view of the memory in which they were received.
 * Its methods may be called from any thread.
 *
 * <p><b>Memory.</b> A handle given to a {@link RangeSink} is closed when the sink returns. {@link
 * #retain()} gives a new, independent handle, which its taker must {@link #close()}; until then the
 * message it lies in stays in direct memory, up to the message limit of the client. A retained
 * chunk of less than 64 KiB is a copy on the heap instead, so that a small chunk never pins a large
 * message; so is any while more than {@link GcsClientBuilder#pinnedMemoryBytes} are in use. Handles
 * stay valid when their session and client are closed. After the close of a handle {@link
 * #offset()} and {@link #length()} still answer, {@link #close()} does nothing, and all other
 * methods throw {@link IllegalStateException}. A {@link ByteBuffer} taken from it earlier must not
 * be used then: its memory may hold other bytes.
 */
public interface Chunk extends AutoCloseable {

  /**
   * Returns the offset of the first byte, also after the close.
   *
   * @return the offset in the object, in bytes
   */
  long offset();

  /**
   * Returns how many bytes the chunk has, also after the close.
   *
   * @return the length in bytes, at least 1
   */
  int length();

  /**
   * Copies all bytes into a buffer, from its position on, which moves by {@link #length()}.
   *
   * @param destination a writable buffer
   * @throws java.nio.BufferOverflowException if the buffer has too little space; nothing is copied
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   * @throws IllegalStateException if the handle is closed
   */
  void copyTo(ByteBuffer destination);

  /**
   * Copies all bytes into an array.
   *
   * @param destination the array
   * @param offset the index of the first byte in it
   * @throws IndexOutOfBoundsException if they do not fit; nothing is copied
   * @throws IllegalStateException if the handle is closed
   */
  void copyTo(byte[] destination, int offset);

  /**
   * Writes all bytes to a channel, however many calls that takes.
   *
   * @param channel the channel, in blocking mode
   * @throws IOException if the channel throws it
   * @throws IllegalStateException if the handle is closed
   */
  void writeTo(WritableByteChannel channel) throws IOException;

  /**
   * Returns the bytes as buffers, in order: one for each fragment in which they were received (16
   * KiB is usual). No bytes are copied.
   *
   * @return new read-only buffers, valid until this handle is closed
   * @throws IllegalStateException if the handle is closed
   */
  List<ByteBuffer> buffers();

  /**
   * Returns a new handle on the same bytes, which must be closed by whoever takes it.
   *
   * @return the handle
   * @throws IllegalStateException if this handle is closed
   */
  Chunk retain();

  /** Gives the handle up; the last handle frees the memory. Closing twice does nothing. */
  @Override
  void close();
}
