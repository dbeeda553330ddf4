// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static io.github.gcsmrd.interleavings.Interleavings.explore;
import static io.github.gcsmrd.interleavings.Interleavings.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handles on one message, used and closed by several threads. */
@Tag("interleavings")
class ChunkHandleInterleavingsTest {
  private static final byte POISON = (byte) 0xDD;

  /** A message of one byte, which is overwritten when it is freed. */
  private static final class Message {
    final byte[] bytes = {7};
    final AtomicInteger frees = new AtomicInteger();
    final MessageMemory memory =
        new MessageMemory(
            1,
            () -> {
              bytes[0] = POISON;
              frees.incrementAndGet();
            });

    /** A handle that has the only reference left. */
    ChunkHandle onlyHandle() {
      ChunkHandle handle = ChunkHandle.view(0, Content.wrap(bytes), 0, 1, memory);
      memory.release();
      return handle;
    }
  }

  /** A finds it open; B finds it open; both release: one reference, given back twice. */
  @Test
  void aHandleClosedByTwoThreadsIsReleasedOnce() {
    explore(
        () -> {
          Message message = new Message();
          ChunkHandle handle = message.onlyHandle();
          together(handle::close, handle::close);
          assertEquals(1, message.frees.get());
          assertEquals(0, message.memory.references());
        });
  }

  /**
   * A finds the handle open; B closes it and frees the bytes; A reads them. Either A's own
   * reference comes first and B frees nothing yet, or A is told that the handle is closed.
   */
  @Test
  void whatIsReadWhileAnotherClosesIsRightOrRefused() {
    explore(
        () -> {
          Message message = new Message();
          ChunkHandle handle = message.onlyHandle();
          byte[] read = {7};
          together(() -> readInto(handle, read), handle::close);
          assertEquals(7, read[0]);
          assertEquals(1, message.frees.get());
        });
  }

  private static void readInto(Chunk handle, byte[] destination) {
    try {
      handle.copyTo(destination, 0);
    } catch (IllegalStateException closed) {
      assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
    }
  }

  /**
   * A begins to retain; B closes the handle; A takes its reference of memory that was freed, or
   * returns a handle on it. Small chunks are copied, so this one is large.
   */
  @Test
  void aHandleRetainedWhileAnotherClosesIsGoodOrRefused() {
    byte[] large = new byte[ChunkHandle.COPY_BELOW_BYTES];
    explore(
        () -> {
          AtomicInteger frees = new AtomicInteger();
          MessageMemory memory = new MessageMemory(large.length, frees::incrementAndGet);
          ChunkHandle handle = ChunkHandle.view(0, Content.wrap(large), 0, large.length, memory);
          memory.release();
          Chunk[] retained = new Chunk[1];
          together(() -> retained[0] = retain(handle), handle::close);
          if (retained[0] != null) {
            assertEquals(1, memory.references());
            assertEquals(0, frees.get());
            retained[0].close();
          }
          assertEquals(0, memory.references());
          assertEquals(1, frees.get());
        });
  }

  private static Chunk retain(Chunk handle) {
    try {
      return handle.retain();
    } catch (IllegalStateException closed) {
      return null;
    }
  }

  /** The loop drops its reference while the sink's thread closes the last handle. */
  @Test
  void theLastOfThreeReferencesFreesAndNoOther() {
    explore(
        () -> {
          Message message = new Message();
          ChunkHandle one = ChunkHandle.view(0, Content.wrap(message.bytes), 0, 1, message.memory);
          ChunkHandle two = ChunkHandle.view(0, Content.wrap(message.bytes), 0, 1, message.memory);
          together(one::close, two::close, message.memory::release);
          assertEquals(1, message.frees.get());
        });
  }
}
