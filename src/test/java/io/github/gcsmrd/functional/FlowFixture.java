// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangePublisher;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamRecord;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with one object, and a session on it, for tests of destinations that lack demand. */
abstract class FlowFixture {
  static final int CHUNK_BYTES = 256 << 10;
  static final long CREDIT_BYTES = 8L << 20;
  static final int OBJECT_BYTES = 32 << 20;
  static final ByteRange WHOLE = ByteRange.of(0, OBJECT_BYTES);
  static final ObjectContent CONTENT = ObjectContent.generated(11, OBJECT_BYTES);

  FakeGcs server;
  GcsClient client;
  MultiRangeDownloader mrd;

  @BeforeEach
  void open() throws Exception {
    server = FakeGcs.builder().chunkBytes(CHUNK_BYTES).start();
    server.put("bucket", "object", CONTENT);
    client = GcsClient.builder().endpoint(server.endpoint()).build();
    mrd = client.createMrd("bucket", "object");
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  static Probe subscribe(RangePublisher publisher) {
    Probe probe = new Probe();
    publisher.subscribe(probe);
    return probe;
  }

  static byte[] expected(long offset, int length) {
    byte[] bytes = new byte[length];
    CONTENT.read(offset, bytes, 0, length);
    return bytes;
  }

  /** Chunks follow one another from an offset on and have the object's bytes. */
  static long assertChunks(long from, List<Chunk> chunks) {
    long at = from;
    for (Chunk chunk : chunks) {
      assertEquals(at, chunk.offset());
      byte[] bytes = new byte[chunk.length()];
      chunk.copyTo(bytes, 0);
      assertArrayEquals(expected(at, chunk.length()), bytes, "chunk at " + at);
      at += chunk.length();
    }
    return at;
  }

  /** A neighbour on the same session reads as if nothing were. */
  void assertNeighbourReads() throws Exception {
    byte[] bytes = mrd.read(ByteRange.of(5, 20 << 20)).get(20, TimeUnit.SECONDS);
    assertArrayEquals(expected(5, 20 << 20), bytes);
  }

  void assertNothingPinned() {
    eventually("pinned bytes are 0", () -> client.pinnedBytes() == 0);
  }

  /** How many bytes were asked for from an offset on, whatever reads were slices of one range. */
  long askedBytes(long from) {
    long asked = 0;
    for (StreamRecord stream : server.streams()) {
      for (StreamRecord.Range range : stream.ranges()) {
        asked += range.offset() >= from ? range.length() : 0;
      }
    }
    return asked;
  }

  /** Waits for what nobody signals. */
  static void eventually(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "not in time: " + what);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
