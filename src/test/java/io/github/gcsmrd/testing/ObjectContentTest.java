// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectContentTest {
  @TempDir Path directory;

  @Test
  void generatedContentIsTheSameHoweverItIsRead() {
    long seed = 42;
    ObjectContent content = ObjectContent.generated(seed, 1000);
    byte[] whole = content.read(0, 1000);
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      int offset = random.nextInt(1001);
      int length = random.nextInt(1001 - offset);
      assertArrayEquals(
          Arrays.copyOfRange(whole, offset, offset + length),
          content.read(offset, length),
          "seed " + seed + ", offset " + offset + ", length " + length);
    }
  }

  @Test
  void generatedContentDiffersBySeedAndPlace() {
    ObjectContent content = ObjectContent.generated(1, Long.MAX_VALUE);
    byte[] start = content.read(0, 16);
    assertFalse(Arrays.equals(start, ObjectContent.generated(2, 16).read(0, 16)));
    assertFalse(Arrays.equals(start, content.read(Long.MAX_VALUE - 16, 16)));
    assertFalse(Arrays.equals(start, content.read(1L << 32, 16)));
  }

  @Test
  void allKindsRefuseWhatIsOutside() throws Exception {
    Path file = directory.resolve("file");
    Files.write(file, new byte[10]);
    for (ObjectContent content :
        new ObjectContent[] {
          ObjectContent.of(new byte[10]),
          ObjectContent.generated(1, 10),
          ObjectContent.ofFile(file),
          AppendedContent.append(ObjectContent.of(new byte[6]), new byte[4])
        }) {
      assertEquals(10, content.size());
      assertEquals(10, content.read(0, 10).length);
      assertEquals(0, content.read(10, 0).length);
      assertThrows(IndexOutOfBoundsException.class, () -> content.read(-1, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> content.read(5, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> content.read(0, new byte[4], 2, 3));
    }
    assertThrows(IllegalArgumentException.class, () -> ObjectContent.generated(1, -1));
  }

  @Test
  void filesAreReadInPlace() throws Exception {
    byte[] bytes = ObjectContent.generated(3, 5000).read(0, 5000);
    Path file = directory.resolve("file");
    Files.write(file, bytes);
    ObjectContent content = ObjectContent.ofFile(file);
    byte[] target = new byte[300];
    content.read(1234, target, 100, 200);
    assertTrue(Arrays.equals(bytes, 1234, 1434, target, 100, 300));
  }

  @Test
  void appendedBytesFollowTheOthers() {
    byte[] bytes = ObjectContent.generated(3, 100).read(0, 100);
    ObjectContent content = ObjectContent.of(Arrays.copyOf(bytes, 40));
    content = AppendedContent.append(content, Arrays.copyOfRange(bytes, 40, 60));
    content = AppendedContent.append(content, Arrays.copyOfRange(bytes, 60, 100));
    assertArrayEquals(bytes, content.read(0, 100));
    assertArrayEquals(Arrays.copyOfRange(bytes, 30, 70), content.read(30, 40));
    assertArrayEquals(Arrays.copyOfRange(bytes, 41, 42), content.read(41, 1));
  }

  @Test
  void matchesComparesEveryByteAndKeepsThePosition() {
    ObjectContent content = ObjectContent.generated(3, 200_000);
    byte[] bytes = content.read(100, 150_000);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    assertTrue(content.matches(100, buffer));
    assertEquals(0, buffer.position());
    assertFalse(content.matches(101, buffer));
    assertFalse(content.matches(-1, buffer));
    assertFalse(content.matches(100_000, buffer), "it ends before the buffer does");
    bytes[149_999] ^= 1;
    assertFalse(content.matches(100, buffer));
  }

  @Test
  void theChecksumOfAnObjectIsComputedGivenOrAbsent() {
    byte[] bytes = ObjectContent.generated(3, 100_000).read(0, 100_000);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    int right = (int) crc.getValue();
    assertEquals(OptionalInt.of(right), crcOf(ObjectOptions.defaults(), bytes));
    assertEquals(
        OptionalInt.of(right), crcOf(ObjectOptions.builder().computedCrc32c().build(), bytes));
    assertEquals(
        OptionalInt.empty(), crcOf(ObjectOptions.builder().withoutCrc32c().build(), bytes));
    assertEquals(OptionalInt.of(5), crcOf(ObjectOptions.builder().crc32c(5).build(), bytes));
    FakeObject huge =
        new FakeObject(
            "b", "o", 1, ObjectContent.generated(1, 64L << 30), ObjectOptions.defaults());
    assertEquals(OptionalInt.empty(), huge.crc32c());
    assertNotEquals(0, right);
  }

  private static OptionalInt crcOf(ObjectOptions options, byte[] bytes) {
    return new FakeObject("b", "o", 1, ObjectContent.of(bytes), options).crc32c();
  }
}
