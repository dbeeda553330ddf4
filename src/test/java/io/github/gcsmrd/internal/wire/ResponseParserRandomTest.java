// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random messages, whole and damaged, against protobuf's own parser. */
@Timeout(120)
class ResponseParserRandomTest {
  private static final int MESSAGES = 6_000;

  @Test
  void agreesOnValidMessagesCutAnywhere() {
    for (long seed = 0; seed < MESSAGES; seed++) {
      checkValid(seed);
    }
  }

  @Test
  void agreesOnDamagedMessages() {
    int accepted = 0;
    for (long seed = 0; seed < MESSAGES; seed++) {
      accepted += checkDamaged(seed) ? 1 : 0;
    }
    assertTrue(
        accepted > MESSAGES / 20 && accepted < MESSAGES * 19 / 20,
        "damage must sometimes matter and sometimes not: accepted " + accepted);
  }

  @Test
  void agreesOnRandomBytes() {
    for (long seed = 0; seed < MESSAGES; seed++) {
      checkRandomBytes(seed);
    }
  }

  @Test
  @Tag("soak")
  @Timeout(600)
  void agreesForMinutes() {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    for (long seed = System.currentTimeMillis() << 20; System.nanoTime() < end; seed++) {
      checkValid(seed);
      checkDamaged(seed);
      checkRandomBytes(seed);
    }
  }

  private static void checkValid(long seed) {
    Random random = new Random(seed);
    byte[] bytes = new ResponseGenerator(random).response();
    String hint = "valid, seed " + seed;
    assertTrue(ParserAgreement.check(bytes, Fragments.whole(bytes), hint), hint);
    assertTrue(ParserAgreement.check(bytes, Fragments.singleBytes(bytes), hint), hint);
    assertTrue(ParserAgreement.check(bytes, Fragments.random(bytes, random), hint), hint);
  }

  private static boolean checkDamaged(long seed) {
    Random random = new Random(seed);
    byte[] bytes = damage(new ResponseGenerator(random).response(), random);
    return ParserAgreement.check(bytes, Fragments.random(bytes, random), "damaged, seed " + seed);
  }

  private static void checkRandomBytes(long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    if (bytes.length > 0 && random.nextBoolean()) {
      // Begin with a field that is known, so that not all is skipped.
      bytes[0] = new byte[] {0x22, 0x32, 0x3A, 0x0B}[random.nextInt(4)];
    }
    ParserAgreement.check(bytes, Fragments.random(bytes, random), "random, seed " + seed);
  }

  private static byte[] damage(byte[] bytes, Random random) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt()};
    }
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt();
      case 2 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 3 -> {
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - 1);
        System.arraycopy(bytes, at + 1, shorter, at, shorter.length - at);
        return shorter;
      }
      default -> {
        byte[] huge = LooseWriter.random(random).varint(random.nextLong()).toByteArray();
        System.arraycopy(huge, 0, bytes, at, Math.min(huge.length, bytes.length - at));
      }
    }
    return bytes;
  }
}
