// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.GcsClientBuilder;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.FakeGcsBuilder;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamAction;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sessions come and go while their server drops connections, takes leave of them and changes its
 * limit of streams: every read ends with the right bytes. What is done is decided by a seed, not
 * when.
 */
class ConnectionsSoakTest {
  private static final int WORKERS = 6;
  private static final int OBJECT_BYTES = 200_000;

  /** Far longer than any read takes, and far from a hang. */
  private static final long SOON_SECONDS = 40;

  private final ObjectContent content = ObjectContent.generated(43, OBJECT_BYTES);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger read = new AtomicInteger();

  /** For {@code -Dsoak.connections.seconds}, three by default. */
  @Test
  @Tag("soak")
  @Timeout(300)
  void readsSurviveWhatAServerDoesToItsConnections() throws Exception {
    long seed = Long.getLong("soak.seed", System.nanoTime());
    try {
      run(new Random(seed));
    } catch (Throwable e) {
      throw new AssertionError("-Dsoak.seed=" + seed + " failed: " + e, e);
    }
  }

  private void run(Random random) throws Exception {
    FakeGcsBuilder settings =
        FakeGcs.builder().maxConcurrentStreams(1 + random.nextInt(3)).chunkBytes(4096);
    try (FakeGcs server = (random.nextInt(3) == 0 ? settings.tls() : settings).start()) {
      server.put("bucket", "object", content);
      GcsClientBuilder connecting =
          GcsClient.builder()
              .noCredentials()
              .endpoint(server.endpoint())
              .eventLoops(1 + random.nextInt(2))
              .connections(2);
      server.certificate().ifPresent(connecting::trustedCertificates);
      GcsClient client = connecting.build();
      try {
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
          workers.add(startWorker(client, random.nextLong()));
        }
        disturb(server, random);
        over.set(true);
        for (CompletableFuture<Void> worker : workers) {
          worker.get(2 * SOON_SECONDS, TimeUnit.SECONDS);
        }
      } finally {
        over.set(true);
        client.close();
      }
      assertTrue(read.get() > 0, "nothing was read");
      assertEquals(0, client.pinnedBytes());
    }
  }

  private void disturb(FakeGcs server, Random random) {
    long seconds = Long.getLong("soak.connections.seconds", 3);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(25)));
      int streams = server.streams().size();
      int ordinal = Math.max(1, streams - random.nextInt(6));
      switch (random.nextInt(7)) {
        case 0 -> server.dropConnections();
        case 1 -> server.sendGoAway();
        case 2 -> act(server, streams, ordinal, StreamAction.dropConnection());
        case 3 -> act(server, streams, ordinal, StreamAction.goAway());
        default -> act(server, streams, ordinal, StreamAction.limitStreams(random.nextInt(4)));
      }
    }
  }

  private static void act(FakeGcs server, int streams, int ordinal, StreamAction action) {
    if (streams > 0) {
      server.perform(ordinal, action);
    }
  }

  private CompletableFuture<Void> startWorker(GcsClient client, long seed) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                Random random = new Random(seed);
                while (!over.get()) {
                  useSession(client, random);
                }
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            },
            "test-worker");
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  private void useSession(GcsClient client, Random random) throws Exception {
    RetryPolicy patient =
        RetryPolicy.builder()
            .initialDelay(Duration.ofMillis(1))
            .maxDelay(Duration.ofMillis(20))
            .maxAttempts(1_000)
            .build();
    MrdOptions options =
        MrdOptions.builder().retryPolicy(patient).openTimeout(Duration.ofSeconds(4)).build();
    try (MultiRangeDownloader mrd = client.createMrd("bucket", "object", options)) {
      // Some are closed at once, in whatever state their open is.
      int reads = random.nextInt(7);
      for (int i = 0; i < reads; i++) {
        int offset = random.nextInt(OBJECT_BYTES * 3 / 4);
        int length = 1 + random.nextInt(OBJECT_BYTES / 5);
        CompletableFuture<byte[]> bytes = mrd.read(ByteRange.of(offset, length));
        if (random.nextInt(5) == 0) {
          bytes.cancel(true);
        } else {
          compare(offset, length, bytes.get(SOON_SECONDS, TimeUnit.SECONDS));
        }
      }
    }
  }

  private void compare(int offset, int length, byte[] bytes) {
    assertEquals(length, bytes.length);
    assertTrue(content.matches(offset, ByteBuffer.wrap(bytes)), "bytes at " + offset);
    read.incrementAndGet();
  }
}
