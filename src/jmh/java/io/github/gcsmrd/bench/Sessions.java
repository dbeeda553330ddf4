// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * This library with some sessions on one loop, over one connection or several.
 *
 * <p>However few there are, they write to the same number of buffers in turn: it is the sessions
 * that are compared, not how much of the destination fits the cache.
 */
final class Sessions implements Competitor {
  private final String name;
  private final GcsClient client;
  private final List<MultiRangeDownloader> sessions = new ArrayList<>();
  private final List<ByteBuffer> buffers;
  private final AtomicIntegerArray calls;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Opens the sessions.
   *
   * @param buffers as many as sessions, or a multiple of that; each for one call
   */
  Sessions(String name, String endpoint, int sessions, int connections, List<ByteBuffer> buffers) {
    this.name = name;
    this.buffers = buffers;
    this.calls = new AtomicIntegerArray(sessions);
    this.client = GcsClient.builder().endpoint(endpoint).connections(connections).build();
    for (int i = 0; i < sessions; i++) {
      MultiRangeDownloader session = client.createMrd("bucket", "object");
      this.sessions.add(session);
      session.opened().join();
    }
  }

  /** From now on each session also has a sink that stands still until the end. */
  void standStill(long objectBytes) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(sessions.size());
    for (MultiRangeDownloader session : sessions) {
      session.downloadRanges(
          List.of(
              RangeRequest.to(
                  chunk -> {
                    entered.countDown();
                    closed.await();
                  },
                  ByteRange.of(0, objectBytes))));
    }
    entered.await();
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
    ByteBuffer buffer = nextBuffer(stream);
    List<RangeRequest> requests = new ArrayList<>(ranges);
    for (int i = 0; i < ranges; i++) {
      ByteRange range = ByteRange.of(offset + (long) i * rangeBytes, rangeBytes);
      requests.add(
          switch (delivery) {
            case BUFFERS -> RangeRequest.into(buffer.slice(i * rangeBytes, rangeBytes), range);
            case VIEWS -> RangeRequest.to(chunk -> {}, range).onEventLoop();
          });
    }
    return sessions.get(stream).downloadRanges(requests).thenApply(GcsMrd::total);
  }

  private ByteBuffer nextBuffer(int stream) {
    int call = calls.getAndIncrement(stream);
    int turns = buffers.size() / sessions.size();
    return buffers.get(stream + call % turns * sessions.size());
  }

  @Override
  public long heldBytes() {
    return client.pinnedBytes();
  }

  @Override
  public void close() {
    closed.countDown();
    client.close();
  }
}
