// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadHandleTest {
  private static ReadHandle handle(byte... bytes) {
    return ReadHandle.of("bucket", "object", OptionalLong.of(7), bytes);
  }

  @Test
  void nobodyChangesItsBytesFromOutside() {
    byte[] given = {1, 2, 3};
    ReadHandle handle = handle(given);
    given[0] = 9;
    assertArrayEquals(new byte[] {1, 2, 3}, handle.toByteArray());
    handle.toByteArray()[1] = 9;
    assertArrayEquals(new byte[] {1, 2, 3}, handle.toByteArray());
  }

  @Test
  void itIsAValue() {
    assertEquals(handle((byte) 1), handle((byte) 1));
    assertEquals(handle((byte) 1).hashCode(), handle((byte) 1).hashCode());
    assertNotEquals(handle((byte) 1), handle((byte) 2));
    assertNotEquals(
        handle((byte) 1), ReadHandle.of("bucket", "object", OptionalLong.empty(), new byte[] {1}));
    assertNotEquals(
        handle((byte) 1), ReadHandle.of("bucket", "other", OptionalLong.of(7), new byte[] {1}));
    assertNotEquals(
        handle((byte) 1), ReadHandle.of("other", "object", OptionalLong.of(7), new byte[] {1}));
  }

  @Test
  void itsTextKeepsTheBytesToItself() {
    String text = handle("secret".getBytes()).toString();
    assertFalse(text.contains("secret") || text.contains("736563726574"), text);
  }

  @Test
  void whatCanBeNoHandleIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> handle());
    assertThrows(
        IllegalArgumentException.class,
        () -> ReadHandle.of("", "object", OptionalLong.empty(), new byte[1]));
    assertThrows(
        IllegalArgumentException.class,
        () -> ReadHandle.of("bucket", "", OptionalLong.empty(), new byte[1]));
  }
}
