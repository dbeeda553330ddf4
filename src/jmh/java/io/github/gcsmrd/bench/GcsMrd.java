// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** This library: one client with one connection and one loop, a session for each stream. */
final class GcsMrd implements Competitor {
  private final String name;
  private final GcsClient client;
  private final List<MultiRangeDownloader> sessions = new ArrayList<>();
  private final List<ByteBuffer> buffers = new ArrayList<>();

  /**
   * Opens the streams.
   *
   * @param bufferBytes what a call of a stream reads at most
   */
  GcsMrd(String name, String endpoint, boolean offload, int streams, int bufferBytes) {
    this.name = name;
    client = GcsClient.builder().endpoint(endpoint).crc32cOffload(offload).build();
    for (int i = 0; i < streams; i++) {
      MultiRangeDownloader session = client.createMrd("bucket", "object");
      sessions.add(session);
      buffers.add(ByteBuffer.allocateDirect(bufferBytes));
      session.opened().join();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String loopThreads() {
    return "gcs-mrd-loop-";
  }

  @Override
  public CompletableFuture<Long> read(
      int stream, long offset, int rangeBytes, int ranges, Delivery delivery) {
    List<RangeRequest> requests = new ArrayList<>(ranges);
    for (int i = 0; i < ranges; i++) {
      ByteRange range = ByteRange.of(offset + (long) i * rangeBytes, rangeBytes);
      requests.add(
          switch (delivery) {
            case BUFFERS ->
                RangeRequest.into(buffers.get(stream).slice(i * rangeBytes, rangeBytes), range);
            case VIEWS -> RangeRequest.to(chunk -> touch(chunk.length()), range).onEventLoop();
          });
    }
    return sessions.get(stream).downloadRanges(requests).thenApply(GcsMrd::total);
  }

  private static void touch(int length) {
    if (length <= 0) {
      throw new IllegalStateException("an empty chunk");
    }
  }

  /** The bytes of all ranges, each of which must be verified. */
  static long total(List<RangeResult> results) {
    long bytes = 0;
    for (RangeResult result : results) {
      if (!result.verified()) {
        throw new IllegalStateException("not verified: " + result);
      }
      bytes += result.length();
    }
    return bytes;
  }

  @Override
  public long heldBytes() {
    return client.pinnedBytes();
  }

  @Override
  public void close() {
    client.close();
  }
}
