// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads over loopback whose large chunks are hashed on the client's real pool. */
@Timeout(120)
class OffloadTest {
  private static final int MIB = 1 << 20;
  private static final int SECONDS = 60;

  private final ObjectContent content = ObjectContent.generated(31, 48 * MIB);
  private FakeGcs server;
  private GcsClient client;
  private MultiRangeDownloader mrd;

  @BeforeEach
  void start() throws IOException {
    server = FakeGcs.start();
    server.put("bucket", "object", content);
    client = GcsClient.builder().endpoint(server.endpoint()).crc32cOffload(true).build();
    RetryPolicy quick =
        RetryPolicy.builder().initialDelay(Duration.ofMillis(1)).jitter(false).build();
    mrd = client.createMrd("bucket", "object", MrdOptions.builder().retryPolicy(quick).build());
  }

  @AfterEach
  void stop() throws Exception {
    mrd.close();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (client.pinnedBytes() > 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    assertEquals(0, client.pinnedBytes());
    client.close();
    server.close();
  }

  private static ByteRange large(int i) {
    return ByteRange.of(i * 8L * MIB, 8 * MIB);
  }

  private List<RangeResult> read(List<ByteRange> ranges) throws Exception {
    List<RangeRequest> requests = new ArrayList<>();
    for (ByteRange range : ranges) {
      long length = range instanceof ByteRange.Bounded bounded ? bounded.length() : content.size();
      requests.add(RangeRequest.into(ByteBuffer.allocateDirect((int) length), range));
    }
    return mrd.downloadRanges(requests).get(SECONDS, TimeUnit.SECONDS);
  }

  private void assertContent(RangeResult result) {
    ByteBuffer buffer = result.buffer().orElseThrow();
    assertEquals(result.length(), buffer.remaining());
    assertTrue(content.matches(result.offset(), buffer), () -> "bytes of " + result.range());
  }

  private void assertAllRead(List<ByteRange> ranges) throws Exception {
    List<RangeResult> results = read(ranges);
    for (int i = 0; i < ranges.size(); i++) {
      assertContent(results.get(i));
      assertTrue(results.get(i).verified(), "range " + i);
      if (ranges.get(i) instanceof ByteRange.Bounded bounded) {
        assertEquals(bounded.length(), results.get(i).length());
      }
    }
  }

  private static List<ByteRange> sixLarge() {
    return List.of(large(0), large(1), large(2), large(3), large(4), large(5));
  }

  @Test
  void manyRangesOfAllSizesAreRead() throws Exception {
    long seed = 5;
    Random random = new Random(seed);
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      int length = random.nextInt(3) == 0 ? 1 + random.nextInt(4 * MIB) : 1 + random.nextInt(9_999);
      ranges.add(ByteRange.of(random.nextInt((int) content.size() - length), length));
    }
    assertAllRead(ranges);
  }

  @Test
  void smallChunksBehindLargeOnesAreRead() throws Exception {
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ranges.add(large(i));
      for (int j = 0; j < 20; j++) {
        ranges.add(ByteRange.of(j * 1_000_003L, 100 + j));
      }
    }
    ranges.add(ByteRange.last(5_000));
    assertAllRead(ranges);
  }

  @Test
  void aWrongChecksumIsRepaired() throws Exception {
    server.onRange(
        RangeMatch.offset(8L * MIB).once(),
        RangeScript.chunk(ChunkMatch.index(0), ChunkFault.wrongCrc32c()));
    server.onRange(
        RangeMatch.offset(16L * MIB).times(2),
        RangeScript.chunk(ChunkMatch.index(2), ChunkFault.flippedBit()));
    assertAllRead(sixLarge());
    assertEquals(1, server.streams().size());
    assertTrue(server.stream(1).ranges().size() > 6, "asked for again");
  }

  @Test
  void aRangeThatStaysCorruptFailsAloneWithWhatWasDelivered() throws Exception {
    long bad = 16L * MIB + 5 * MIB;
    server.onRange(
        RangeMatch.any(), RangeScript.chunk(ChunkMatch.covering(bad), ChunkFault.wrongCrc32c()));
    List<RangeRequest> requests = new ArrayList<>();
    List<ByteBuffer> buffers = new ArrayList<>();
    for (ByteRange range : sixLarge()) {
      buffers.add(ByteBuffer.allocateDirect(8 * MIB));
      requests.add(RangeRequest.into(buffers.get(buffers.size() - 1), range));
    }
    Download download = mrd.downloadRanges(requests);
    assertThrows(ExecutionException.class, () -> download.get(SECONDS, TimeUnit.SECONDS));
    for (int i = 0; i < 6; i++) {
      if (i != 2) {
        assertContent(download.range(i).get(SECONDS, TimeUnit.SECONDS));
      }
    }
    ExecutionException thrown =
        assertThrows(
            ExecutionException.class, () -> download.range(2).get(SECONDS, TimeUnit.SECONDS));
    DataCorruptionException failure =
        assertInstanceOf(DataCorruptionException.class, thrown.getCause());
    assertEquals(20L * MIB, failure.offset());
    assertEquals(4L * MIB, failure.context().bytesDelivered());
    assertTrue(content.matches(16L * MIB, buffers.get(2).slice(0, 4 * MIB)));
  }

  @Test
  void brokenStreamsWithHeldChunksAreResumed() throws Exception {
    server
        .onStream(
            1, StreamScript.at(When.sent(15L * MIB), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onStream(2, StreamScript.at(When.sent(9L * MIB), StreamAction.dropConnection()))
        .onStream(3, StreamScript.at(When.sent(7L * MIB), StreamAction.redirect("elsewhere")))
        .onStream(4, StreamScript.at(When.sent(3L * MIB), StreamAction.reset()));
    assertAllRead(sixLarge());
    assertEquals(5, server.streams().size());
  }

  @Test
  void aWholeObjectWithoutChecksumsOfItsChunksIsVerified() throws Exception {
    server.onRange(
        RangeMatch.any(), RangeScript.chunk(ChunkMatch.all(), ChunkFault.absentCrc32c()));
    RangeResult whole = read(List.of(ByteRange.all())).get(0);
    assertContent(whole);
    assertEquals(content.size(), whole.length());
    assertTrue(whole.verified());
    assertFalse(read(List.of(large(3))).get(0).verified());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sinksGetTheirChunksInOrder(boolean onEventLoop) throws Exception {
    List<RangeRequest> requests = new ArrayList<>();
    long[] next = new long[6];
    for (int i = 0; i < 6; i++) {
      int range = i;
      next[i] = i * 8L * MIB;
      RangeRequest request =
          RangeRequest.to(
              chunk -> {
                assertEquals(next[range], chunk.offset());
                next[range] += chunk.length();
                ByteBuffer copy = ByteBuffer.allocate(chunk.length());
                chunk.copyTo(copy);
                assertTrue(content.matches(chunk.offset(), copy.flip()));
              },
              large(i));
      requests.add(onEventLoop ? request.onEventLoop() : request);
    }
    for (RangeResult result : mrd.downloadRanges(requests).get(SECONDS, TimeUnit.SECONDS)) {
      assertEquals(8L * MIB, result.length());
      assertTrue(result.verified());
    }
  }

  @Test
  void theClientCanOptInAndOutWhileItReads() throws Exception {
    client.crc32cOffload(false);
    Set<Thread> before = hashers();
    assertAllRead(sixLarge());
    Set<Thread> during = hashers();
    during.removeAll(before);
    assertEquals(Set.of(), during, "no thread before the first chunk");
    client.crc32cOffload(true);
    assertAllRead(sixLarge());
    Set<Thread> after = hashers();
    after.removeAll(before);
    assertFalse(after.isEmpty());
    assertTrue(after.size() <= 2, () -> "threads " + after);
    client.crc32cOffload(false);
    assertAllRead(sixLarge());
  }

  private static Set<Thread> hashers() {
    Set<Thread> hashers = new HashSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("gcs-mrd-crc32c-")) {
        hashers.add(thread);
      }
    }
    return hashers;
  }
}
