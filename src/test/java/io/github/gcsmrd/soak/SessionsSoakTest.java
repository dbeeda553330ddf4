// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.soak;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many sessions at a time on one client, with everything that may go wrong, for a long time: every
 * byte is compared, nothing hangs, and what the process has stays the same.
 *
 * <p>The time is cut into epochs. At the end of each everything comes to rest, the server is
 * replaced by a fresh one on the same port (it keeps records of all that it saw), and the footprint
 * of the process is taken. Those of the later epochs must not exceed those of the earlier ones.
 *
 * <p>{@code -Dsoak.seconds} sets the time, 600 by default, {@code -Dsoak.sessions} how many at a
 * time, and {@code -Dsoak.seed} the seed that a failure names; the timing remains the machine's.
 */
class SessionsSoakTest {
  private static final int MIB = 1 << 20;
  private static final int CONNECTIONS = 2;
  private static final long SINK_MEMORY_BYTES = 64L * MIB;
  private static final int CHUNK_BYTES = 2 * MIB;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Epochs in which pools and caches find their size. */
  private static final int WARM_UP_EPOCHS = 2;

  private static final long HEAP_SLACK_BYTES = 16L * MIB;

  /** The server tells of each stream that it loses; that is what happens here all the time. */
  private static final Logger SERVER_LOG =
      Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler");

  private final ObjectContent content = ObjectContent.generated(64, 48L * MIB);
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong lives = new AtomicLong();

  @BeforeAll
  static void expectLostStreams() {
    SERVER_LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void expectNone() {
    SERVER_LOG.setLevel(null);
  }

  @Test
  @Timeout(120)
  void aFewSessionsForAShortTime() throws Exception {
    soak(8, 2, 1);
  }

  @Test
  @Tag("soak")
  void manySessionsForALongTime() throws Exception {
    long seconds = Long.getLong("soak.seconds", 600);
    int sessions = Integer.getInteger("soak.sessions", 64);
    soak(sessions, seconds, Math.max(1, Math.min(20, seconds / 10)));
  }

  private void soak(int sessions, long seconds, long epochSeconds) throws Exception {
    long seed = Long.getLong("soak.seed", System.nanoTime());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Footprint> footprints = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(2 * sessions);
    FakeGcs server = serve(0);
    try (GcsClient client =
        GcsClient.builder()
            .endpoint(server.endpoint())
            .connections(CONNECTIONS)
            .eventLoops(2)
            .sinkMemoryBytes(SINK_MEMORY_BYTES)
            .build()) {
      HeldMemory held = new HeldMemory(client);
      held.start();
      for (int epoch = 0; System.nanoTime() - end < 0; epoch++) {
        runEpoch(server, client, threads, sessions, seed + epoch * 1_000L, epochSeconds);
        server = restart(server);
        footprints.add(Footprint.now());
      }
      held.end();
      report(seed, footprints, held.peakBytes());
      assertTrue(held.peakBytes() <= heldBytesAtMost(sessions), () -> "held: " + held.peakBytes());
    } catch (Throwable e) {
      throw new AssertionError("soak of -Dsoak.seed=" + seed + " failed: " + e, e);
    } finally {
      threads.shutdownNow();
      server.close();
    }
    await("end of all threads", () -> clientThreads() == 0);
    assertFlat(footprints);
  }

  private FakeGcs serve(int port) throws Exception {
    FakeGcs server = FakeGcs.builder().port(port).chunkBytes(CHUNK_BYTES).start();
    server.put("bucket", "object", content);
    return server;
  }

  /** The client meets a server that was away, with all its connections. */
  private FakeGcs restart(FakeGcs server) throws Exception {
    server.close();
    return serve(server.port());
  }

  private void runEpoch(
      FakeGcs server,
      GcsClient client,
      ExecutorService threads,
      int sessions,
      long seed,
      long seconds)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Faults faults = new Faults(server, seed);
    faults.start();
    List<Future<?>> slots = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      Random random = new Random(seed + i);
      int streams = i % 4 == 0 ? 4 : 1;
      slots.add(
          threads.submit(() -> oneAfterTheOther(server, client, threads, random, streams, end)));
    }
    for (Future<?> slot : slots) {
      slot.get(seconds + 2 * SOON.toSeconds(), TimeUnit.SECONDS);
    }
    faults.end();
    server.awaitNoOpenStreams(SOON);
    await("release of everything", () -> client.pinnedBytes() == 0);
  }

  private Void oneAfterTheOther(
      FakeGcs server,
      GcsClient client,
      ExecutorService threads,
      Random random,
      int streams,
      long end)
      throws Exception {
    while (System.nanoTime() - end < 0) {
      if (random.nextInt(3) == 0) {
        server.onNextStream(Faults.faultyStream(random));
      }
      new SessionLife(client, content, random, threads, bytesRead).run(streams);
      lives.incrementAndGet();
    }
    return null;
  }

  /**
   * What sinks and subscribers may hold, and for each stream, of which every fourth session has up
   * to four, a message that is on its way; times three, since the transport's buffers are not full.
   * Buffers and arrays hold nothing.
   */
  private static long heldBytesAtMost(int sessions) {
    long streams = sessions + 3L * ((sessions + 3) / 4);
    return 3 * (SINK_MEMORY_BYTES + streams * CHUNK_BYTES);
  }

  private void report(long seed, List<Footprint> footprints, long peakBytes) {
    System.out.printf(
        "sessions soak: seed %d, %d sessions, %.1f GB, at most %.1f MiB held%n",
        seed, lives.get(), bytesRead.get() / 1e9, peakBytes / 1048576.0);
    footprints.forEach(footprint -> System.out.println("  " + footprint));
  }

  /** The worst of the later half is no worse than the worst of the earlier half. */
  private static void assertFlat(List<Footprint> footprints) {
    List<Footprint> warm =
        footprints.subList(Math.min(WARM_UP_EPOCHS, footprints.size()), footprints.size());
    if (warm.size() < 2) {
      return;
    }
    assertFlat("heap", warm, Footprint::heapBytes, HEAP_SLACK_BYTES);
    assertFlat("direct memory", warm, Footprint::directBytes, 2L * 16 * MIB);
    assertFlat("threads", warm, Footprint::threads, 2);
    assertFlat("sockets", warm, Footprint::sockets, 2L * CONNECTIONS);
  }

  private static void assertFlat(
      String what, List<Footprint> footprints, ToLongFunction<Footprint> of, long slack) {
    int half = footprints.size() / 2;
    long earlier = footprints.subList(0, half).stream().mapToLong(of).max().orElseThrow();
    long later =
        footprints.subList(half, footprints.size()).stream().mapToLong(of).max().orElseThrow();
    assertTrue(
        later <= earlier + slack,
        () -> what + " grew from " + earlier + " to " + later + ": " + footprints);
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("gcs-mrd-"))
        .count();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        fail("no " + what + " within " + SOON);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
