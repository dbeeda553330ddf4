// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Destinations that are memory: buffers, an allocator's buffer, an array that grows. */
class MemoryDestinationTest {
  private final MessageMemory memory = new MessageMemory(0, () -> {});
  private final List<ByteBuffer> released = new ArrayList<>();

  private void deliver(Destination to, long position, byte... bytes) throws Exception {
    // Something before and behind, which must not be taken.
    byte[] around = new byte[bytes.length + 2];
    System.arraycopy(bytes, 0, around, 1, bytes.length);
    to.deliver(position, 1_000 + position, Content.wrap(around), 1, bytes.length, memory);
    assertEquals(1, memory.references());
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.limit()];
    assertEquals(0, buffer.position());
    buffer.get(0, bytes);
    return bytes;
  }

  @Test
  void aBufferIsFilledFromTheStartOfItsSlice() throws Exception {
    for (ByteBuffer whole :
        new ByteBuffer[] {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)}) {
      whole.position(3).limit(8);
      BufferDestination destination = new BufferDestination(whole.slice());
      deliver(destination, 0, (byte) 1, (byte) 2);
      deliver(destination, 2, (byte) 3, (byte) 4, (byte) 5);
      assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, bytes(destination.finish(5).orElseThrow()));
      assertEquals(3, whole.position());
      assertEquals(0, whole.get(2));
      assertEquals(1, whole.get(3));
      assertThrows(DestinationOverflow.class, () -> deliver(destination, 5, (byte) 6));
      assertThrows(DestinationOverflow.class, () -> deliver(destination, 4, (byte) 6, (byte) 7));
      assertEquals(5, whole.get(7), "a chunk that does not fit is not delivered in part");
      assertTrue(destination.takeCredit() && destination.isIdle());
    }
  }

  @Test
  void anArrayGrowsWithWhatComes() throws Exception {
    for (long expected : new long[] {0, 3, 7, 1_000, Long.MAX_VALUE >> 40}) {
      GrowingDestination destination = new GrowingDestination(expected);
      for (int i = 0; i < 100; i++) {
        deliver(destination, i * 2L, (byte) i, (byte) -i);
      }
      ByteBuffer result = destination.finish(200).orElseThrow();
      assertEquals(200, result.array().length);
      for (int i = 0; i < 100; i++) {
        assertEquals((byte) i, result.get(i * 2));
        assertEquals((byte) -i, result.get(i * 2 + 1));
      }
    }
    assertEquals(0, new GrowingDestination(1L << 40).finish(0).orElseThrow().capacity());
  }

  @Test
  void anArrayHasAnEnd() {
    GrowingDestination destination = new GrowingDestination(0);
    assertThrows(
        DestinationOverflow.class, () -> deliver(destination, Integer.MAX_VALUE, (byte) 1));
  }

  private AllocatedDestination prepared(ByteBuffer given, int length) throws Exception {
    AllocatedDestination destination =
        new AllocatedDestination(
            size -> {
              assertEquals(length, size);
              return given;
            },
            released::add);
    assertTrue(destination.needsLength());
    destination.prepare(length);
    assertFalse(destination.needsLength());
    return destination;
  }

  @Test
  void anAllocatedBufferThatIsClaimedIsNotReleased() throws Exception {
    ByteBuffer given = ByteBuffer.allocateDirect(20);
    AllocatedDestination destination = prepared(given, 5);
    deliver(destination, 0, (byte) 1, (byte) 2, (byte) 3);
    ByteBuffer result = destination.finish(3).orElseThrow();
    assertSame(given, result);
    assertArrayEquals(new byte[] {1, 2, 3}, bytes(result));
    destination.claimed();
    destination.released();
    assertEquals(List.of(), released);
  }

  @Test
  void aBufferWithAPositionComesAsAView() throws Exception {
    ByteBuffer given = ByteBuffer.allocate(20).position(7);
    AllocatedDestination destination = prepared(given, 5);
    deliver(destination, 0, (byte) 1, (byte) 2);
    assertArrayEquals(new byte[] {1, 2}, bytes(destination.finish(2).orElseThrow()));
    assertEquals(7, given.position());
    assertEquals(1, given.get(7));
  }

  @Test
  void anAllocatedBufferThatNobodyClaimsIsReleasedOnce() throws Exception {
    ByteBuffer given = ByteBuffer.allocate(20);
    AllocatedDestination failed = prepared(given, 5);
    failed.abandon();
    failed.released();
    failed.released();
    assertEquals(1, released.size());
    AllocatedDestination unclaimed = prepared(given, 5);
    unclaimed.finish(0);
    unclaimed.released();
    assertEquals(2, released.size());
    AllocatedDestination neverAsked = new AllocatedDestination(ByteBuffer::allocate, released::add);
    neverAsked.released();
    assertEquals(2, released.size());
  }

  @Test
  void aBufferThatIsNoGoodIsReleasedToo() {
    for (ByteBuffer wrong :
        new ByteBuffer[] {
          ByteBuffer.allocate(4),
          ByteBuffer.allocate(9).asReadOnlyBuffer(),
          ByteBuffer.allocate(9).position(6)
        }) {
      AllocatedDestination destination = new AllocatedDestination(size -> wrong, released::add);
      assertThrows(UserCodeFault.class, () -> destination.prepare(5));
      destination.released();
      assertSame(wrong, released.remove(0));
    }
    AllocatedDestination none = new AllocatedDestination(size -> null, released::add);
    assertThrows(UserCodeFault.class, () -> none.prepare(5));
    none.released();
    AllocatedDestination tooLong = new AllocatedDestination(ByteBuffer::allocate, released::add);
    assertThrows(DestinationOverflow.class, () -> tooLong.prepare(1L << 31));
    assertEquals(List.of(), released);
  }

  @Test
  void aBufferTakesNoMoreThanWasAskedForThoughItIsLarger() throws Exception {
    AllocatedDestination destination = prepared(ByteBuffer.allocate(20), 2);
    assertThrows(
        DestinationOverflow.class, () -> deliver(destination, 0, (byte) 1, (byte) 2, (byte) 3));
  }
}
