// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.stream.Offload;
import io.github.gcsmrd.internal.transport.ClientTransport;
import io.github.gcsmrd.internal.transport.TransportOptions;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much memory a full queue of held chunks takes, with workers that do nothing. */
@Timeout(120)
class OffloadMemoryTest {
  private static final int CHUNK_BYTES = 2 << 20;
  private static final int HELD_CHUNKS = 32;
  private static final int OBJECT_BYTES = 48 * CHUNK_BYTES;

  /**
   * Held data and a window of unread bytes, times three: how much memory the transport takes for
   * them depends on how full its reads are, and so on the load of the machine.
   */
  private static final long PINNED_LIMIT_BYTES =
      3L * (HELD_CHUNKS * CHUNK_BYTES + TransportOptions.DEFAULT_FLOW_CONTROL_WINDOW_BYTES);

  private static final int STREAMS = 4;
  private static final int WINDOW_BYTES = TransportOptions.DEFAULT_FLOW_CONTROL_WINDOW_BYTES;
  private static final long LOW_LIMIT_BYTES = 32L << 20;

  /** All streams stand still in the end, each with a full window, times three as above. */
  private static final long LOW_PINNED_LIMIT_BYTES = LOW_LIMIT_BYTES + 3L * STREAMS * WINDOW_BYTES;

  private final Queue<Runnable> hashes = new ConcurrentLinkedQueue<>();
  private final ObjectContent content = ObjectContent.generated(17, OBJECT_BYTES);

  private GcsClient client(FakeGcs server) {
    return client(server, TransportOptions.DEFAULT_PINNED_MEMORY_BYTES);
  }

  private GcsClient client(FakeGcs server, long pinnedMemoryBytes) {
    ClientExecutors executors = new ClientExecutors(Optional.empty());
    TransportOptions options =
        TransportOptions.builder()
            .endpoint("localhost", server.port())
            .plaintext(true)
            .pinnedMemoryBytes(pinnedMemoryBytes)
            .build();
    return new GcsClient(
        new ClientTransport(options, executors.blocking()),
        executors,
        new Offload(new OffloadSwitch(Map.of(), Optional.of(true)), new HashPool(hashes::add)),
        new CreditPool(256 << 20),
        "test");
  }

  @Test
  void aFullQueueHolds64MebibytesAndPinsABoundedMultipleOfThem() throws Exception {
    try (FakeGcs server = FakeGcs.builder().chunkBytes(CHUNK_BYTES).start();
        GcsClient client = client(server)) {
      server.put("bucket", "object", content);
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      ByteBuffer buffer = ByteBuffer.allocateDirect(OBJECT_BYTES);
      Download download =
          mrd.downloadRanges(List.of(RangeRequest.into(buffer, ByteRange.of(0, OBJECT_BYTES))));
      await("a full queue", () -> hashes.size() == HELD_CHUNKS);
      long peak = peakOfPinnedBytes(client);
      System.out.printf(
          "held: %d chunks, %d MiB; pinned: %.1f MiB%n",
          HELD_CHUNKS, HELD_CHUNKS * CHUNK_BYTES >> 20, peak / 1048576.0);
      assertEquals(HELD_CHUNKS, hashes.size(), "more were asked for");
      assertTrue(peak >= (long) HELD_CHUNKS * CHUNK_BYTES, "pinned: " + peak);
      assertTrue(peak <= PINNED_LIMIT_BYTES, "pinned: " + peak);
      await("the end", () -> runHashes(download));
      assertTrue(download.join().get(0).verified());
      assertTrue(content.matches(0, buffer));
      await("release of everything", () -> client.pinnedBytes() == 0);
      mrd.close();
    }
  }

  /** Copies wait behind the few chunks that could be held: what comes then fills the windows. */
  @Test
  void whatWaitsForHashesOnManyStreamsIsBoundedByTheLimitAndTheirWindows() throws Exception {
    try (FakeGcs server = FakeGcs.builder().chunkBytes(CHUNK_BYTES).start();
        GcsClient client = client(server, LOW_LIMIT_BYTES)) {
      server.put("bucket", "object", content);
      Gate rest = Gate.closed();
      server.onRange(RangeMatch.any(), RangeScript.builder().hold(CHUNK_BYTES, rest).build());
      List<Download> downloads = new ArrayList<>();
      List<ByteBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        MultiRangeDownloader mrd = client.createMrd("bucket", "object");
        ByteBuffer buffer = ByteBuffer.allocateDirect(OBJECT_BYTES);
        buffers.add(buffer);
        downloads.add(
            mrd.downloadRanges(List.of(RangeRequest.into(buffer, ByteRange.of(0, OBJECT_BYTES)))));
      }
      await("a held chunk on each stream", () -> hashes.size() == STREAMS);
      rest.open();
      await("a window for each stream", () -> client.pinnedBytes() >= STREAMS * WINDOW_BYTES);
      long peak = peakOfPinnedBytes(client);
      System.out.printf(
          "%d streams, limit %d MiB: %d chunks held; pinned: %.1f MiB%n",
          STREAMS, LOW_LIMIT_BYTES >> 20, hashes.size(), peak / 1048576.0);
      assertTrue(hashes.size() * CHUNK_BYTES <= LOW_LIMIT_BYTES, "held: " + hashes.size());
      assertTrue(peak <= LOW_PINNED_LIMIT_BYTES, "pinned: " + peak);
      for (Download download : downloads) {
        await("the end", () -> runHashes(download));
        assertTrue(download.join().get(0).verified());
      }
      buffers.forEach(buffer -> assertTrue(content.matches(0, buffer)));
      await("release of everything", () -> client.pinnedBytes() == 0);
    }
  }

  @Test
  void aCloseWithAFullQueueReleasesIt() throws Exception {
    try (FakeGcs server = FakeGcs.builder().chunkBytes(CHUNK_BYTES).start();
        GcsClient client = client(server)) {
      server.put("bucket", "object", content);
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      ByteBuffer buffer = ByteBuffer.allocateDirect(OBJECT_BYTES);
      Download download =
          mrd.downloadRanges(List.of(RangeRequest.into(buffer, ByteRange.of(0, OBJECT_BYTES))));
      await("a full queue", () -> hashes.size() == HELD_CHUNKS);
      mrd.close();
      await("release of everything", () -> client.pinnedBytes() == 0);
      await("the failure", download::isCompletedExceptionally);
    }
  }

  /** Until nothing changes for a while: what the window lets in comes later than the queue. */
  private static long peakOfPinnedBytes(GcsClient client) {
    long peak = 0;
    int calm = 0;
    while (calm < 200) {
      long pinned = client.pinnedBytes();
      calm = pinned > peak ? 0 : calm + 1;
      peak = Math.max(peak, pinned);
      pause();
    }
    return peak;
  }

  private boolean runHashes(Download download) {
    for (Runnable hash = hashes.poll(); hash != null; hash = hashes.poll()) {
      hash.run();
    }
    return download.isDone();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        fail("no " + what + " within a minute");
      }
      pause();
    }
  }

  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
  }
}
