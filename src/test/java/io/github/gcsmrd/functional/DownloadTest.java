// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DownloadTest {
  @Test
  void readsManyRangesIntoBuffers() throws Exception {
    ObjectContent content = ObjectContent.generated(7, 64 << 20);
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put("bucket", "object", content);
      try (MultiRangeDownloader mrd = client.createMrd("bucket", "object")) {
        List<RangeRequest> requests = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
          ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
          buffers.add(buffer);
          requests.add(RangeRequest.into(buffer, ByteRange.of((long) i << 20, 1 << 20)));
        }
        List<RangeResult> results = mrd.downloadRanges(requests).get(30, TimeUnit.SECONDS);
        for (int i = 0; i < 64; i++) {
          assertEquals(1 << 20, results.get(i).length());
          assertTrue(results.get(i).verified());
          byte[] expected = new byte[1 << 20];
          content.read((long) i << 20, expected, 0, expected.length);
          byte[] actual = new byte[1 << 20];
          buffers.get(i).get(0, actual);
          assertArrayEquals(expected, actual, "range " + i);
        }
        byte[] tail = mrd.read(ByteRange.last(10)).get(10, TimeUnit.SECONDS);
        byte[] expected = new byte[10];
        content.read((64 << 20) - 10, expected, 0, 10);
        assertArrayEquals(expected, tail);
      }
    }
  }

  @Test
  void aClosedChunkStillTellsItsPlaceButNoBytes() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put("bucket", "object", ObjectContent.generated(7, 100));
      List<Chunk> kept = new CopyOnWriteArrayList<>();
      client
          .createMrd("bucket", "object")
          .downloadRanges(List.of(RangeRequest.to(kept::add, ByteRange.of(5, 10))))
          .get(10, TimeUnit.SECONDS);
      Chunk closed = kept.get(0);
      assertEquals(5, closed.offset());
      assertEquals(10, closed.length());
      assertThrows(IllegalStateException.class, closed::buffers);
      assertThrows(IllegalStateException.class, closed::retain);
      assertThrows(IllegalStateException.class, () -> closed.copyTo(new byte[10], 0));
      closed.close();
    }
  }

  @Test
  void anEmptyRangeOfAClosedSessionFailsAsAnyOther() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put("bucket", "object", ObjectContent.generated(7, 100));
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      assertEquals(0, mrd.read(ByteRange.of(0, 0)).get(10, TimeUnit.SECONDS).length);
      mrd.close();
      ExecutionException failure =
          assertThrows(
              ExecutionException.class,
              () -> mrd.read(ByteRange.of(0, 0)).get(10, TimeUnit.SECONDS));
      assertInstanceOf(SessionClosedException.class, failure.getCause());
    }
  }
}
