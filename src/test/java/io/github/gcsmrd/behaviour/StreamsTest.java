// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One object over several streams, over loopback. */
@Timeout(60)
class StreamsTest {
  private static final int MIB = 1 << 20;
  private static final int OBJECT_BYTES = 64 * MIB;
  private static final ObjectContent CONTENT = ObjectContent.generated(11, OBJECT_BYTES);

  private static MultiRangeDownloader open(GcsClient client, int least, int most) {
    MultiRangeDownloader mrd =
        client.createMrd("bucket", "object", MrdOptions.builder().streams(least, most).build());
    mrd.opened().join();
    return mrd;
  }

  private static GcsClient client(FakeGcs server, int connections, int loops) {
    server.put("bucket", "object", CONTENT);
    return GcsClient.builder()
        .endpoint(server.endpoint())
        .connections(connections)
        .eventLoops(loops)
        .build();
  }

  private static void assertBytes(ByteBuffer buffer, long offset, int length) {
    byte[] expected = new byte[length];
    CONTENT.read(offset, expected, 0, length);
    byte[] actual = new byte[length];
    buffer.get(0, actual);
    assertArrayEquals(expected, actual);
  }

  private static void assertReadsAll(MultiRangeDownloader mrd, int ranges) throws Exception {
    int length = OBJECT_BYTES / ranges;
    List<RangeRequest> requests = new ArrayList<>();
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < ranges; i++) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(length);
      buffers.add(buffer);
      requests.add(RangeRequest.into(buffer, ByteRange.of((long) i * length, length)));
    }
    List<RangeResult> results = mrd.downloadRanges(requests).get(30, TimeUnit.SECONDS);
    for (int i = 0; i < ranges; i++) {
      assertTrue(results.get(i).verified());
      assertEquals(length, results.get(i).length());
      assertBytes(buffers.get(i), (long) i * length, length);
    }
  }

  @Test
  void b93_theRangesOfOneSessionComeOverAllConnections() throws Exception {
    for (int loops = 1; loops <= 2; loops++) {
      try (FakeGcs server = FakeGcs.start();
          GcsClient client = client(server, 4, loops)) {
        MultiRangeDownloader mrd = open(client, 1, 4);
        assertReadsAll(mrd, 64);
        assertEquals(4, server.connections());
        assertEquals(4, server.streams().size());
        for (StreamRecord stream : server.streams()) {
          assertTrue(stream.ranges().size() >= 10, stream.ranges().size() + " ranges");
        }
      }
    }
  }

  @Test
  void b94_aHundredShortRangesOneAfterTheOtherOpenNoFurtherStream() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = client(server, 4, 1)) {
      MultiRangeDownloader mrd = open(client, 1, 4);
      for (int i = 0; i < 100; i++) {
        assertEquals(100, mrd.read(ByteRange.of(i, 100)).get(20, TimeUnit.SECONDS).length);
      }
      assertEquals(1, server.streams().size());
    }
  }

  @Test
  void aLargeRangeIsReadInPartsByAllStreamsAndCheckedAsAWhole() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = client(server, 4, 2)) {
      MultiRangeDownloader mrd = open(client, 4, 4);
      assertReadsAll(mrd, 1);
      assertEquals(
          List.of(1, 1, 1, 1), server.streams().stream().map(s -> s.ranges().size()).toList());
      ByteBuffer tail = ByteBuffer.allocate(40 * MIB);
      RangeResult beyond =
          mrd.downloadRanges(
                  List.of(RangeRequest.into(tail, ByteRange.of(OBJECT_BYTES - 5 * MIB, 40 * MIB))))
              .get(20, TimeUnit.SECONDS)
              .get(0);
      assertEquals(5 * MIB, beyond.length());
      assertTrue(beyond.verified());
      assertBytes(tail, OBJECT_BYTES - 5 * MIB, 5 * MIB);
    }
  }

  @Test
  void partsThatMatchButNotTheObjectsChecksumAreCorrupt() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = client(server, 1, 1)) {
      server.put("bucket", "object", CONTENT, ObjectOptions.builder().crc32c(4_711).build());
      MultiRangeDownloader mrd = open(client, 2, 2);
      Download download =
          mrd.downloadRanges(
              List.of(
                  RangeRequest.into(
                      ByteBuffer.allocate(OBJECT_BYTES), ByteRange.of(0, OBJECT_BYTES))));
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> download.range(0).get(20, TimeUnit.SECONDS));
      DataCorruptionException corrupt =
          assertInstanceOf(DataCorruptionException.class, failure.getCause());
      assertEquals(4_711, corrupt.expectedCrc32c());
      download.quiesced().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aPartThatFailsFailsItsRangeOnceAndACancelEndsAllParts() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = client(server, 1, 1)) {
      MultiRangeDownloader mrd = open(client, 2, 2);
      ByteBuffer buffer = ByteBuffer.allocate(OBJECT_BYTES);
      Download beyond =
          mrd.downloadRanges(List.of(RangeRequest.into(buffer, ByteRange.of(1L << 40, 32 * MIB))));
      assertThrows(ExecutionException.class, () -> beyond.get(20, TimeUnit.SECONDS));
      beyond.quiesced().get(20, TimeUnit.SECONDS);
      Download cancelled =
          mrd.downloadRanges(List.of(RangeRequest.into(buffer, ByteRange.of(0, OBJECT_BYTES))));
      assertTrue(cancelled.range(0).cancel(false) || cancelled.range(0).isDone());
      cancelled.quiesced().get(20, TimeUnit.SECONDS);
      assertThrows(CancellationException.class, () -> cancelled.range(0).join());
      assertReadsAll(mrd, 1);
    }
  }

  @Test
  void aConnectionThatDropsCostsItsRangesNothing() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = client(server, 3, 1)) {
      server.onStream(2, StreamScript.at(When.sent(3 * MIB), StreamAction.dropConnection()));
      server.onStream(
          3, StreamScript.at(When.sent(5 * MIB), StreamAction.end(StatusCode.UNAVAILABLE)));
      MultiRangeDownloader mrd = open(client, 3, 3);
      long begin = System.nanoTime();
      assertReadsAll(mrd, 64);
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(took.compareTo(Duration.ofSeconds(20)) < 0, took.toString());
    }
  }

  @Test
  void nothingIsLeftAfterTheClose() throws Exception {
    try (FakeGcs server = FakeGcs.start()) {
      GcsClient client = client(server, 4, 2);
      MultiRangeDownloader mrd = open(client, 4, 4);
      assertReadsAll(mrd, 64);
      client.close();
      assertEquals(0, client.pinnedBytes());
      server.awaitNoOpenStreams(Duration.ofSeconds(10));
      assertEquals(4, server.streams().size());
    }
  }
}
