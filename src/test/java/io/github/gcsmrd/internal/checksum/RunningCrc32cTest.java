// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class RunningCrc32cTest {

  @Test
  void nothingYetIsZero() {
    RunningCrc32c running = new RunningCrc32c();
    assertEquals(0, running.crc());
    assertEquals(0, running.length());
  }

  @Test
  void partsOfAnySizeAddUpToTheWhole() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      RunningCrc32c running = new RunningCrc32c();
      CRC32C whole = new CRC32C();
      long length = 0;
      for (int parts = random.nextInt(20); parts > 0; parts--) {
        byte[] part = new byte[random.nextInt(200)];
        random.nextBytes(part);
        CRC32C crc = new CRC32C();
        crc.update(part);
        whole.update(part);
        length += part.length;
        running.append((int) crc.getValue(), part.length);
      }
      assertEquals((int) whole.getValue(), running.crc(), "seed " + seed);
      assertEquals(length, running.length(), "seed " + seed);
    }
  }
}
