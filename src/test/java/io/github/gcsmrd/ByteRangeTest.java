// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ByteRangeTest {
  @Test
  void saysWhatItIs() {
    assertEquals("[5, 15)", ByteRange.of(5, 10).toString());
    assertEquals("[5, end)", ByteRange.from(5).toString());
    assertEquals("[last 5)", ByteRange.last(5).toString());
    assertEquals("[all)", ByteRange.all().toString());
    assertEquals(ByteRange.of(1, 2), ByteRange.of(1, 2));
  }

  @Test
  void refusesNegativeNumbersAndOverflow() {
    String hint =
        assertThrows(IllegalArgumentException.class, () -> ByteRange.of(-3, 5)).getMessage();
    assertTrue(hint.contains("-3") && hint.contains("last(n)"), hint);
    assertThrows(IllegalArgumentException.class, () -> ByteRange.of(3, -5));
    assertThrows(IllegalArgumentException.class, () -> ByteRange.from(-1));
    assertThrows(IllegalArgumentException.class, () -> ByteRange.last(-1));
    assertThrows(IllegalArgumentException.class, () -> ByteRange.of(Long.MAX_VALUE, 1));
    assertEquals("[0, " + Long.MAX_VALUE + ")", ByteRange.of(0, Long.MAX_VALUE).toString());
  }

  @Test
  void destinationsMustBeLargeEnoughAndWritable() {
    ByteBuffer buffer = ByteBuffer.allocate(10).position(4);
    assertThrows(
        IllegalArgumentException.class, () -> RangeRequest.into(buffer, ByteRange.of(0, 7)));
    assertThrows(
        IllegalArgumentException.class, () -> RangeRequest.into(buffer, ByteRange.last(7)));
    RangeRequest.into(buffer, ByteRange.of(0, 6));
    RangeRequest.into(buffer, ByteRange.all());
    assertEquals(4, buffer.position());
    assertThrows(
        IllegalArgumentException.class,
        () -> RangeRequest.into(buffer.asReadOnlyBuffer(), ByteRange.of(0, 1)));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> RangeRequest.into(new byte[3], 4, ByteRange.of(0, 0)));
    assertThrows(
        IllegalArgumentException.class,
        () -> RangeRequest.into(new byte[3], 2, ByteRange.of(0, 2)));
    assertThrows(
        IllegalArgumentException.class,
        () -> RangeRequest.allocate(ByteRange.of(0, 1L << 31), ByteBuffer::allocate, b -> {}));
    assertThrows(
        IllegalStateException.class,
        () -> RangeRequest.into(buffer, ByteRange.of(0, 1)).onEventLoop());
  }
}
