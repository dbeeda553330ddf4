// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.Contents;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ChunkHandleTest {
  private static final int LARGE = ChunkHandle.COPY_BELOW_BYTES;
  private final AtomicInteger frees = new AtomicInteger();
  private final byte[] bytes = new byte[LARGE + 20];
  private final MessageMemory memory = new MessageMemory(bytes.length, frees::incrementAndGet);
  private final Content content;

  ChunkHandleTest() {
    new Random(4).nextBytes(bytes);
    content = Contents.even(bytes, 1_000, true);
  }

  private byte[] part(int from, int length) {
    return java.util.Arrays.copyOfRange(bytes, from, from + length);
  }

  @Test
  void givesItsBytesInEveryForm() throws IOException {
    try (ChunkHandle chunk = ChunkHandle.view(500, content, 10, 3_000, memory)) {
      assertEquals(500, chunk.offset());
      assertEquals(3_000, chunk.length());
      byte[] array = new byte[3_002];
      chunk.copyTo(array, 1);
      assertArrayEquals(part(10, 3_000), java.util.Arrays.copyOfRange(array, 1, 3_001));
      ByteBuffer buffer = ByteBuffer.allocate(3_005).position(2);
      chunk.copyTo(buffer);
      assertEquals(3_002, buffer.position());
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      chunk.writeTo(Channels.newChannel(stream));
      assertArrayEquals(part(10, 3_000), stream.toByteArray());
      int total = 0;
      for (ByteBuffer view : chunk.buffers()) {
        assertTrue(view.isReadOnly());
        total += view.remaining();
      }
      assertEquals(3_000, total);
      assertEquals(2, memory.references());
    }
    assertEquals(1, memory.references());
  }

  @Test
  void whatDoesNotFitIsNotCopiedInPart() {
    try (ChunkHandle chunk = ChunkHandle.view(0, content, 0, 100, memory)) {
      byte[] array = new byte[100];
      assertThrows(IndexOutOfBoundsException.class, () -> chunk.copyTo(array, 1));
      ByteBuffer small = ByteBuffer.wrap(array).limit(99);
      assertThrows(BufferOverflowException.class, () -> chunk.copyTo(small));
      assertThrows(
          ReadOnlyBufferException.class,
          () -> chunk.copyTo(ByteBuffer.allocate(200).asReadOnlyBuffer()));
      assertArrayEquals(new byte[100], array);
      assertEquals(0, small.position());
    }
  }

  @Test
  void aChannelMayTakeLittleOrThrow() throws IOException {
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    WritableByteChannel slow =
        new WritableByteChannel() {
          @Override
          public int write(ByteBuffer source) {
            int count = Math.min(7, source.remaining());
            for (int i = 0; i < count; i++) {
              taken.write(source.get());
            }
            return count;
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    ChunkHandle chunk = ChunkHandle.view(0, content, 5, 2_500, memory);
    chunk.writeTo(slow);
    assertArrayEquals(part(5, 2_500), taken.toByteArray());
    WritableByteChannel closed = Channels.newChannel(new ByteArrayOutputStream());
    closed.close();
    assertThrows(IOException.class, () -> chunk.writeTo(closed));
    chunk.close();
    assertEquals(1, memory.references());
  }

  @Test
  void closingTwiceDoesNothingAndUseAfterwardsIsRefused() {
    ChunkHandle chunk = ChunkHandle.view(42, content, 0, 100, memory);
    chunk.close();
    chunk.close();
    assertEquals(1, memory.references());
    for (Runnable use :
        List.<Runnable>of(
            chunk::buffers,
            chunk::retain,
            () -> chunk.copyTo(new byte[100], 0),
            () -> chunk.copyTo(ByteBuffer.allocate(100)))) {
      assertTrue(assertThrows(IllegalStateException.class, use::run).getMessage().contains("42"));
    }
    memory.release();
    assertEquals(1, frees.get());
  }

  @Test
  void aLargeChunkIsRetainedInPlaceAndASmallOneCopied() {
    ChunkHandle large = ChunkHandle.view(0, content, 0, LARGE, memory);
    Chunk keptLarge = large.retain();
    assertEquals(3, memory.references());
    ChunkHandle small = ChunkHandle.view(0, content, 7, LARGE - 1, memory);
    Chunk keptSmall = small.retain();
    small.close();
    large.close();
    assertEquals(2, memory.references(), "the copy holds nothing");
    assertTrue(((ChunkHandle) keptLarge).pinsMessage());
    assertFalse(((ChunkHandle) keptSmall).pinsMessage());
    memory.release();
    keptLarge.close();
    assertEquals(1, frees.get());
    byte[] copy = new byte[LARGE - 1];
    keptSmall.copyTo(copy, 0);
    assertArrayEquals(part(7, LARGE - 1), copy);
    Chunk again = keptSmall.retain();
    keptSmall.close();
    again.copyTo(copy, 0);
    again.close();
  }

  @Test
  void whatMayNotBeHeldIsRetainedAsACopy() {
    AtomicInteger pinned = new AtomicInteger(LARGE);
    HoldLimit limit = new HoldLimit(LARGE, pinned::get);
    MessageMemory own = new MessageMemory(LARGE, frees::incrementAndGet, limit);
    ChunkHandle given = ChunkHandle.view(7, content, 5, LARGE, own);
    pinned.set(LARGE + 1);
    ChunkHandle copied = (ChunkHandle) given.retain();
    assertFalse(copied.pinsMessage());
    assertEquals(2, own.references());
    pinned.set(LARGE);
    ChunkHandle kept = (ChunkHandle) given.retain();
    assertTrue(kept.pinsMessage());
    pinned.set(LARGE + 1);
    ChunkHandle again = (ChunkHandle) kept.retain();
    assertTrue(again.pinsMessage(), "another handle on what is held pins no more");
    given.close();
    own.release();
    byte[] bytes = new byte[LARGE];
    for (ChunkHandle chunk : List.of(copied, kept, again)) {
      assertEquals(7, chunk.offset());
      chunk.copyTo(bytes, 0);
      assertArrayEquals(part(5, LARGE), bytes);
      assertEquals(0, frees.get());
      chunk.close();
    }
    assertEquals(1, frees.get());
  }

  @Test
  void concurrentClosesAndAccessesReleaseOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 500; round++) {
        MessageMemory own = new MessageMemory(LARGE, frees::incrementAndGet);
        ChunkHandle chunk = ChunkHandle.view(0, content, 0, LARGE, own);
        own.release();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          boolean closes = i % 2 == 0;
          ends.add(
              threads.submit(
                  () -> {
                    start.await();
                    try {
                      if (!closes) {
                        chunk.retain().close();
                      }
                    } catch (IllegalStateException closed) {
                      assertTrue(closed.getMessage().contains("is closed"));
                    }
                    chunk.close();
                    return null;
                  }));
        }
        start.countDown();
        for (Future<?> end : ends) {
          end.get(30, TimeUnit.SECONDS);
        }
        assertEquals(0, own.references());
        assertEquals(round + 1, frees.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void nullIsNamed() {
    ChunkHandle chunk = ChunkHandle.copied(0, Content.wrap(new byte[1]), 0, 1);
    List<Executable> calls =
        List.of(() -> chunk.copyTo((ByteBuffer) null), () -> chunk.copyTo((byte[]) null, 0));
    for (Executable call : calls) {
      assertEquals("destination", assertThrows(NullPointerException.class, call).getMessage());
    }
    chunk.close();
  }
}
