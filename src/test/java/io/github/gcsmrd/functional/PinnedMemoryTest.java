// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static io.github.gcsmrd.functional.FlowFixture.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.GcsClientBuilder;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeSink;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much direct memory a client has in use, whatever its users keep. */
@Timeout(120)
class PinnedMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int SESSIONS = 4;
  private static final int SESSION_BYTES = 50 * MIB;
  private static final int LIMIT_BYTES = 16 * MIB;
  private static final int CHUNK_BYTES = 2 * MIB;

  /** On its way on each stream: a message, in buffers of which others have the larger part. */
  private static final int COMING_BYTES = 4 * CHUNK_BYTES;

  private static final ObjectContent CONTENT = ObjectContent.generated(31, SESSION_BYTES);

  private final Collection<Chunk> kept = new ConcurrentLinkedQueue<>();
  private final AtomicLong peak = new AtomicLong();

  private static FakeGcs server(int chunkBytes) throws Exception {
    FakeGcs server = FakeGcs.builder().chunkBytes(chunkBytes).start();
    server.put("bucket", "object", CONTENT);
    return server;
  }

  private static GcsClientBuilder limited(FakeGcs server) {
    return GcsClient.builder().endpoint(server.endpoint()).pinnedMemoryBytes(LIMIT_BYTES);
  }

  private static List<Download> readAll(GcsClient client, RangeSink sink) {
    return readAll(client, RangeRequest.to(sink, ByteRange.of(0, SESSION_BYTES)));
  }

  private static List<Download> readAll(GcsClient client, RangeRequest request) {
    List<Download> downloads = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      downloads.add(mrd.downloadRanges(List.of(request)));
    }
    return downloads;
  }

  private void look(GcsClient client) {
    peak.accumulateAndGet(client.pinnedBytes(), Math::max);
  }

  private void lookUntilAllEnd(GcsClient client, List<Download> downloads) {
    for (Download download : downloads) {
      eventually(
          "the end of " + download,
          () -> {
            look(client);
            return download.isDone();
          });
      download.join();
    }
  }

  private void assertPeak(String what, long mostBytes) {
    System.out.printf(
        "%s: at most %.1f MiB pinned, limit %d MiB%n",
        what, peak.get() / (double) MIB, LIMIT_BYTES / MIB);
    assertTrue(peak.get() >= LIMIT_BYTES / 2, "pinned: " + peak);
    assertTrue(peak.get() <= mostBytes, "pinned: " + peak);
  }

  /** Every byte of every session, once. */
  private void assertKeptBytes() {
    long bytes = 0;
    for (Chunk chunk : kept) {
      ByteBuffer copy = ByteBuffer.allocate(chunk.length());
      chunk.copyTo(copy);
      assertTrue(CONTENT.matches(chunk.offset(), copy.flip()), () -> "wrong bytes: " + chunk);
      bytes += chunk.length();
    }
    assertEquals((long) SESSIONS * SESSION_BYTES, bytes);
  }

  /** From two threads, each of which closes each handle. */
  private void closeKept() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        ends.add(
            threads.submit(
                () -> {
                  start.await();
                  kept.forEach(Chunk::close);
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> end : ends) {
        end.get(30, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @CsvSource({"65536, false", "65536, true", "2097152, false", "2097152, true"})
  void retainedChunksPinNoMoreThanTheLimit(int chunkBytes, boolean onLoop) throws Exception {
    try (FakeGcs server = server(chunkBytes);
        GcsClient client = limited(server).build()) {
      RangeRequest request =
          RangeRequest.to(
              chunk -> {
                kept.add(chunk.retain());
                look(client);
              },
              ByteRange.of(0, SESSION_BYTES));
      lookUntilAllEnd(client, readAll(client, onLoop ? request.onEventLoop() : request));
      assertPeak(
          "retained, chunks of " + (chunkBytes >> 10) + " KiB" + (onLoop ? ", on the loop" : ""),
          LIMIT_BYTES + SESSIONS * COMING_BYTES);
      long rest = client.pinnedBytes();
      assertTrue(rest <= LIMIT_BYTES + COMING_BYTES, "still pinned: " + rest);
      assertKeptBytes();
      closeKept();
      eventually("pinned bytes are 0", () -> client.pinnedBytes() == 0);
    }
  }

  @Test
  void thereIsRoomAgainForViewsOnceHandlesAreClosed() throws Exception {
    try (FakeGcs server = server(CHUNK_BYTES);
        GcsClient client = limited(server).build()) {
      for (int round = 0; round < 3; round++) {
        readAll(client, chunk -> kept.add(chunk.retain())).forEach(Download::join);
        long pinned = client.pinnedBytes();
        assertTrue(pinned >= LIMIT_BYTES / 4, "pinned in round " + round + ": " + pinned);
        assertKeptBytes();
        closeKept();
        kept.clear();
        eventually("pinned bytes are 0", () -> client.pinnedBytes() == 0);
      }
    }
  }

  @Test
  void aLimitOfZeroKeepsCopiesOnly() throws Exception {
    try (FakeGcs server = server(CHUNK_BYTES);
        GcsClient client = limited(server).pinnedMemoryBytes(0).crc32cOffload(true).build()) {
      lookUntilAllEnd(client, readAll(client, chunk -> kept.add(chunk.retain())));
      eventually("pinned bytes are 0", () -> client.pinnedBytes() == 0);
      System.out.printf("nothing held: at most %.1f MiB pinned%n", peak.get() / (double) MIB);
      assertTrue(peak.get() <= SESSIONS * COMING_BYTES, "pinned: " + peak);
      assertKeptBytes();
      kept.forEach(Chunk::close);
    }
  }
}
