// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.Contents;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ChunkHasherTest {
  private final ChunkHasher hasher = new ChunkHasher();

  @Test
  void eachHashStartsAnew() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      byte[] payload = new byte[1 + random.nextInt(400)];
      random.nextBytes(payload);
      Content content = Contents.random(payload, random);
      int from = random.nextInt(payload.length);
      CRC32C part = new CRC32C();
      part.update(payload, from, payload.length - from);
      CRC32C whole = new CRC32C();
      whole.update(payload);
      String about = "seed " + seed;
      assertEquals((int) part.getValue(), hasher.hash(content, from, payload.length - from), about);
      assertEquals((int) whole.getValue(), hasher.hashShared(content), about);
    }
  }

  @Test
  void theHashOfNothingIsZero() {
    assertEquals(0, hasher.hash(Content.empty(), 0, 0));
    assertEquals(0, hasher.hashShared(Content.empty()));
  }
}
