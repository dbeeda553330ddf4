// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class Crc32cCombineTest {

  @Test
  void agreesWithHashingTheConcatenation() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(1_000)];
      random.nextBytes(bytes);
      int split = random.nextInt(bytes.length + 1);
      int a = crc(bytes, 0, split);
      int b = crc(bytes, split, bytes.length - split);
      int combined = Crc32cCombine.combine(a, b, bytes.length - split);
      assertEquals(crc(bytes, 0, bytes.length), combined, "seed " + seed);
    }
  }

  @Test
  void theCheckValueOfTheStandardComesOut() {
    byte[] digits = "123456789".getBytes();
    int combined = Crc32cCombine.combine(crc(digits, 0, 4), crc(digits, 4, 5), 5);
    assertEquals(0xE306_9283, combined);
  }

  @Test
  void anEmptyPartChangesNothing() {
    assertEquals(0x1234_5678, Crc32cCombine.combine(0x1234_5678, 0, 0));
    assertEquals(0x1234_5678, Crc32cCombine.combine(0, 0x1234_5678, 99));
  }

  @Test
  void lengthsBeyondMemoryMayBeJoinedInAnyOrder() {
    byte[] bytes = new byte[3_000];
    new Random(3).nextBytes(bytes);
    int head = crc(bytes, 0, 1_000);
    int block = crc(bytes, 1_000, 2_000);
    for (int doublings = 0; doublings < 50; doublings++) {
      long length = 2_000L << doublings;
      int half = repeated(block, 2_000, doublings);
      int whole = Crc32cCombine.combine(half, half, length);
      int leftFirst =
          Crc32cCombine.combine(Crc32cCombine.combine(head, half, length), half, length);
      int rightFirst = Crc32cCombine.combine(head, whole, 2 * length);
      assertEquals(leftFirst, rightFirst, "length " + length);
    }
  }

  @Test
  void fourGibibytesOfZerosAreHashedAndCombined() {
    byte[] zeros = new byte[1 << 20];
    byte[] head = {1, 2, 3};
    CRC32C direct = new CRC32C();
    direct.update(head);
    RunningCrc32c running = new RunningCrc32c();
    running.append(crc(head, 0, 3), 3);
    int ofZeros = crc(zeros, 0, zeros.length);
    for (int i = 0; i < 4096; i++) {
      direct.update(zeros);
      running.append(ofZeros, zeros.length);
    }
    int atOnce = repeated(ofZeros, zeros.length, 12);
    assertEquals((int) direct.getValue(), running.crc());
    assertEquals((4L << 30) + 3, running.length());
    assertEquals(running.crc(), Crc32cCombine.combine(crc(head, 0, 3), atOnce, 4L << 30));
  }

  @Test
  void negativeLengthsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Crc32cCombine.combine(1, 2, -1));
    RunningCrc32c running = new RunningCrc32c();
    assertThrows(IllegalArgumentException.class, () -> running.append(1, Long.MIN_VALUE));
    assertEquals(0, running.length());
  }

  /** The CRC of a block repeated 2^doublings times. */
  private static int repeated(int crcOfBlock, long blockLength, int doublings) {
    int crc = crcOfBlock;
    long length = blockLength;
    for (int i = 0; i < doublings; i++) {
      crc = Crc32cCombine.combine(crc, crc, length);
      length *= 2;
    }
    return crc;
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
