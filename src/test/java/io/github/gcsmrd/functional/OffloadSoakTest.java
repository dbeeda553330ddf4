// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random downloads from a server with random faults, with chunks hashed on the client's own pool:
 * every byte is compared, and nothing stays held. A round is decided by its seed, but for the
 * timing; a failure names it, and {@code -Dsoak.seed} runs it again alone.
 */
class OffloadSoakTest {
  private static final int MIB = 1 << 20;
  private static final int OBJECT_BYTES = 40 * MIB;
  private static final int FAULTY_STREAMS = 6;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final ObjectContent content = ObjectContent.generated(41, OBJECT_BYTES);

  @Test
  @Timeout(120)
  void someRoundsOfRandomFaults() throws Exception {
    for (long seed = 1; seed <= 4; seed++) {
      run(seed);
    }
  }

  /** For {@code -Dsoak.seconds}, three minutes by default. */
  @Test
  @Tag("soak")
  void manyRoundsOfRandomFaults() throws Exception {
    Long one = Long.getLong("soak.seed");
    if (one != null) {
      run(one);
      return;
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("soak.seconds", 180));
    long first = System.nanoTime();
    Random seeds = new Random(first);
    int rounds = 0;
    while (System.nanoTime() - end < 0) {
      run(seeds.nextLong());
      rounds++;
    }
    System.out.println("offload soak: " + rounds + " rounds, first seed " + first);
  }

  private void run(long seed) throws Exception {
    try {
      new Round(new Random(seed)).run();
    } catch (Throwable e) {
      throw new AssertionError("round of -Dsoak.seed=" + seed + " failed: " + e, e);
    }
  }

  private final class Round {
    private final Random random;
    private final List<CompletableFuture<?>> ends = new ArrayList<>();

    Round(Random random) {
      this.random = random;
    }

    void run() throws Exception {
      int chunkBytes = random.nextBoolean() ? 2 * MIB : MIB + random.nextInt(MIB);
      try (FakeGcs server = FakeGcs.builder().chunkBytes(chunkBytes).start();
          GcsClient client =
              GcsClient.builder().endpoint(server.endpoint()).crc32cOffload(true).build()) {
        server.put("bucket", "object", content);
        for (int i = 1; i <= FAULTY_STREAMS; i++) {
          server.onStream(i, faultyStream());
        }
        int sessions = 1 + random.nextInt(3);
        for (int i = 0; i < sessions; i++) {
          read(client);
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
            .get(SOON.toSeconds(), TimeUnit.SECONDS);
        await("release of everything", () -> client.pinnedBytes() == 0);
      }
    }

    private StreamScript faultyStream() {
      RangeScript.Builder ranges = RangeScript.builder();
      ChunkMatch later = ChunkMatch.index(1 + random.nextInt(4));
      switch (random.nextInt(6)) {
        case 0 -> ranges.chunk(later, ChunkFault.wrongCrc32c());
        case 1 -> ranges.chunk(later, ChunkFault.flippedBit());
        case 2 -> ranges.chunk(later, ChunkFault.offsetOffBy(1 + random.nextInt(9)));
        case 3 -> ranges.gap(MIB + random.nextInt(MIB), 1 + random.nextInt(999));
        case 4 -> ranges.endAfter(MIB + random.nextInt(3 * MIB));
        default -> ranges.overlap(MIB + random.nextInt(MIB), 1 + random.nextInt(999));
      }
      StreamScript.Builder stream =
          StreamScript.builder().ranges(ranges.build()).piecesPerResponse(1 + random.nextInt(3));
      if (random.nextInt(4) > 0) {
        stream.at(When.sent(2L * MIB + random.nextInt(20 * MIB)), ending());
      }
      return stream.build();
    }

    private StreamAction ending() {
      return switch (random.nextInt(5)) {
        case 0 -> StreamAction.end(StatusCode.UNAVAILABLE);
        case 1 -> StreamAction.end(StatusCode.INTERNAL);
        case 2 -> StreamAction.redirect("token");
        case 3 -> StreamAction.reset();
        default -> StreamAction.dropConnection();
      };
    }

    private void read(GcsClient client) {
      RetryPolicy patient =
          RetryPolicy.builder().initialDelay(Duration.ofMillis(1)).maxAttempts(50).build();
      MultiRangeDownloader mrd =
          client.createMrd("bucket", "object", MrdOptions.builder().retryPolicy(patient).build());
      int calls = 1 + random.nextInt(3);
      for (int i = 0; i < calls; i++) {
        download(mrd);
        if (random.nextInt(5) == 0) {
          client.crc32cOffload(random.nextInt(3) > 0);
        }
      }
      if (random.nextInt(8) == 0) {
        // In the middle of it all: what was not delivered by now fails, and must give all back.
        mrd.close();
      }
    }

    private void download(MultiRangeDownloader mrd) {
      List<RangeRequest> requests = new ArrayList<>();
      int ranges = 1 + random.nextInt(10);
      for (int i = 0; i < ranges; i++) {
        requests.add(request());
      }
      Download download = mrd.downloadRanges(requests);
      for (int i = 0; i < ranges; i++) {
        CompletableFuture<RangeResult> range = download.range(i);
        ends.add(range.handle((result, failure) -> check(range, result, failure)));
        if (random.nextInt(12) == 0) {
          range.cancel(false);
        }
      }
      if (random.nextInt(10) == 0) {
        download.cancel(false);
      }
      ends.add(download.quiesced());
    }

    private RangeRequest request() {
      int length = random.nextInt(3) == 0 ? 1 + random.nextInt(9_999) : 1 + random.nextInt(9 * MIB);
      ByteRange range = ByteRange.of(random.nextInt(OBJECT_BYTES - length), length);
      return switch (random.nextInt(4)) {
        case 0 -> RangeRequest.to(new Comparing(range)::compare, range);
        case 1 -> RangeRequest.to(new Comparing(range)::compare, range).onEventLoop();
        default -> RangeRequest.into(ByteBuffer.allocate(length), range);
      };
    }

    /** Every range that was not given up succeeds: each fault can be repaired. */
    private Void check(
        CompletableFuture<RangeResult> range, RangeResult result, Throwable failure) {
      if (failure != null) {
        boolean givenUp = range.isCancelled() || failure instanceof SessionClosedException;
        assertTrue(givenUp, () -> "failed: " + failure);
        return null;
      }
      ByteRange.Bounded asked = (ByteRange.Bounded) result.range();
      assertEquals(asked.offset(), result.offset());
      assertEquals(asked.length(), result.length());
      assertTrue(result.verified());
      result
          .buffer()
          .ifPresent(
              bytes ->
                  assertTrue(content.matches(result.offset(), bytes), () -> "bytes of " + result));
      return null;
    }
  }

  /** A sink that takes its bytes in order, each once. */
  private final class Comparing {
    private long next;

    Comparing(ByteRange range) {
      this.next = ((ByteRange.Bounded) range).offset();
    }

    void compare(Chunk chunk) {
      assertEquals(next, chunk.offset());
      next += chunk.length();
      ByteBuffer copy = ByteBuffer.allocate(chunk.length());
      chunk.copyTo(copy);
      assertTrue(content.matches(chunk.offset(), copy.flip()), () -> "bytes of " + chunk);
    }
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
