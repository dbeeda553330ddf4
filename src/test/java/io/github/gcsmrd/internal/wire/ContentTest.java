// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ContentTest {
  private static final int SEEDS = 1_000;

  @Test
  void copiesAnyPartToAnywhere() {
    for (long seed = 0; seed < SEEDS; seed++) {
      String about = "seed " + seed;
      Random random = new Random(seed);
      byte[] payload = bytes(random);
      Content content = Contents.random(payload, random);
      int from = random.nextInt(payload.length + 1);
      int length = random.nextInt(payload.length - from + 1);
      int at = random.nextInt(10);
      byte[] expected = new byte[at + length + 3];
      System.arraycopy(payload, from, expected, at, length);

      byte[] array = new byte[expected.length];
      content.copyTo(from, length, array, at);
      assertArrayEquals(expected, array, about);

      boolean direct = random.nextBoolean();
      ByteBuffer buffer =
          direct
              ? ByteBuffer.allocateDirect(expected.length)
              : ByteBuffer.allocate(expected.length);
      buffer.position(expected.length);
      content.copyTo(from, length, buffer, at);
      assertEquals(expected.length, buffer.position(), about);
      assertEquals(ByteBuffer.wrap(expected), buffer.flip(), about);

      byte[] part = Arrays.copyOfRange(payload, from, from + length);
      assertArrayEquals(part, content.toByteArray(from, length), about);
      assertArrayEquals(part, join(content.buffers(from, length), length), about);
    }
  }

  @Test
  void hashesAnyPartAndLeavesItReadable() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      byte[] payload = bytes(random);
      Content content = Contents.random(payload, random);
      int from = random.nextInt(payload.length + 1);
      int length = random.nextInt(payload.length - from + 1);
      CRC32C expected = new CRC32C();
      expected.update(payload, from, length);
      CRC32C actual = new CRC32C();
      content.update(actual, from, length);
      assertEquals(expected.getValue(), actual.getValue(), "seed " + seed);
      assertArrayEquals(payload, content.toByteArray(0, payload.length), "seed " + seed);
    }
  }

  /** Over a read-only view of a heap buffer each hash would copy into an array of its own. */
  @Test
  void hashesHeapBuffersWithoutCopyingThem() {
    Content content = Contents.even(new byte[1 << 16], 1 << 14, false);
    CRC32C crc = new CRC32C();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    content.update(crc, 0, content.length());
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < 100; i++) {
      content.update(crc, 0, content.length());
    }
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    assertTrue(allocated < 100 * 1_000, () -> allocated + " bytes for 100 hashes");
  }

  @Test
  void refusesWhatIsNotThere() {
    Content content = Contents.even(new byte[10], 3, false);
    ByteBuffer dst = ByteBuffer.allocate(20).limit(9);
    assertThrows(IndexOutOfBoundsException.class, () -> content.copyTo(0, 10, dst, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> content.copyTo(1, 10, new byte[20], 0));
    assertThrows(IndexOutOfBoundsException.class, () -> content.copyTo(0, 10, new byte[9], 0));
    assertThrows(IndexOutOfBoundsException.class, () -> content.toByteArray(-1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> content.buffers(0, 11));
    assertThrows(IndexOutOfBoundsException.class, () -> content.update(new CRC32C(), 10, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> Content.empty().toByteArray(0, 1));
    assertEquals(ByteBuffer.allocate(9), dst, "nothing is copied if not all fits");
  }

  @Test
  void buffersCannotBeWritten() {
    List<ByteBuffer> views = Contents.even(new byte[10], 4, false).buffers(0, 10);
    for (ByteBuffer view : views) {
      assertEquals(0, view.position());
      assertTrue(view.hasRemaining());
      assertThrows(ReadOnlyBufferException.class, () -> view.put(0, (byte) 1));
    }
    assertThrows(UnsupportedOperationException.class, () -> views.remove(0));
  }

  @Test
  void nothingIsEmpty() {
    Content empty = Content.empty();
    assertEquals(0, empty.length());
    assertEquals(0, empty.bufferCount());
    assertEquals(List.of(), empty.buffers(0, 0));
    assertEquals(0, empty.toByteArray(0, 0).length);
    CRC32C crc = new CRC32C();
    empty.update(crc, 0, 0);
    empty.updateShared(crc);
    assertEquals(0, crc.getValue());
  }

  @Test
  @Timeout(60)
  void manyThreadsReadAndHashAtOnce() throws Exception {
    // Small buffers, so that a position that is moved for a moment would be noticed.
    byte[] payload = new byte[5_000];
    new Random(1).nextBytes(payload);
    CRC32C crc = new CRC32C();
    crc.update(payload);
    Content content = Contents.even(payload, 3, true);
    CyclicBarrier start = new CyclicBarrier(3);
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      Callable<Boolean> reader = () -> readsRight(content, payload, start);
      Callable<Boolean> hasher = () -> hashesRight(content, crc.getValue(), start);
      for (Future<Boolean> result : executor.invokeAll(List.of(reader, reader, hasher))) {
        assertTrue(result.get());
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static boolean readsRight(Content content, byte[] payload, CyclicBarrier start)
      throws Exception {
    byte[] array = new byte[payload.length];
    ByteBuffer buffer = ByteBuffer.allocateDirect(payload.length);
    start.await();
    for (int round = 0; round < 1_000; round++) {
      Arrays.fill(array, (byte) 0);
      content.copyTo(0, payload.length, array, 0);
      content.copyTo(0, payload.length, buffer, 0);
      byte[] joined = join(content.buffers(0, payload.length), payload.length);
      if (!Arrays.equals(payload, array)
          || !ByteBuffer.wrap(payload).equals(buffer)
          || !Arrays.equals(payload, joined)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hashesRight(Content content, long expected, CyclicBarrier start)
      throws Exception {
    CRC32C crc = new CRC32C();
    start.await();
    for (int round = 0; round < 1_000; round++) {
      crc.reset();
      content.updateShared(crc);
      if (crc.getValue() != expected) {
        return false;
      }
    }
    return true;
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(500)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] join(List<ByteBuffer> views, int length) {
    ByteBuffer joined = ByteBuffer.allocate(length);
    views.forEach(joined::put);
    assertEquals(0, joined.remaining());
    return joined.array();
  }
}
