// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.AsyncRangeSink;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncSinkTest extends FlowFixture {
  private static final ByteRange WHOLE = ByteRange.of(0, OBJECT_BYTES);

  /** A chunk and the future that its sink returned. */
  private record Taken(Chunk chunk, CompletableFuture<Void> stage) {}

  /** A sink of which each stage waits for the test. */
  private static final class Manual implements AsyncRangeSink {
    final BlockingQueue<Taken> queue = new LinkedBlockingQueue<>();
    final AtomicInteger calls = new AtomicInteger();

    @Override
    public CompletionStage<?> accept(Chunk chunk) {
      calls.incrementAndGet();
      Taken taken = new Taken(chunk, new CompletableFuture<>());
      queue.add(taken);
      return taken.stage();
    }

    Taken next() throws InterruptedException {
      Taken taken = queue.poll(20, TimeUnit.SECONDS);
      assertNotNull(taken, "no chunk came");
      return taken;
    }
  }

  private Download download(AsyncRangeSink sink, ByteRange range) {
    return mrd.downloadRanges(List.of(RangeRequest.toAsync(sink, range)));
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    return assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS))
        .getCause();
  }

  @Test
  void chunksComeInOrderOneAtATimeWhoeverCompletesTheirStages() throws Exception {
    AtomicInteger pending = new AtomicInteger();
    AtomicLong at = new AtomicLong();
    ExecutorService others = Executors.newFixedThreadPool(4);
    try {
      AsyncRangeSink sink =
          chunk -> {
            assertEquals(1, pending.incrementAndGet());
            return CompletableFuture.runAsync(
                () -> {
                  at.set(assertChunks(at.get(), List.of(chunk)));
                  pending.decrementAndGet();
                },
                others);
          };
      RangeResult result = download(sink, WHOLE).range(0).get(30, TimeUnit.SECONDS);
      assertEquals(OBJECT_BYTES, result.length());
      assertTrue(result.verified());
      assertEquals(OBJECT_BYTES, at.get());
    } finally {
      others.shutdownNow();
    }
    assertNothingPinned();
  }

  @Test
  void stagesCompletedAtOnceGoThrough() throws Exception {
    AtomicLong at = new AtomicLong();
    AsyncRangeSink sink =
        chunk -> {
          at.set(assertChunks(at.get(), List.of(chunk)));
          return CompletableFuture.completedStage("done");
        };
    assertEquals(OBJECT_BYTES, download(sink, WHOLE).range(0).get(30, TimeUnit.SECONDS).length());
    assertEquals(OBJECT_BYTES, at.get());
  }

  @Test
  void aChunkIsHeldUntilItsStageCompletes() throws Exception {
    Manual sink = new Manual();
    Download download = download(sink, WHOLE);
    Taken first = sink.next();
    assertNeighbourReads();
    assertEquals(1, sink.calls.get());
    assertTrue(client.pinnedBytes() > 0);
    assertEquals(CREDIT_BYTES, server.stream(1).ranges().get(0).length());
    long at = assertChunks(0, List.of(first.chunk()));
    first.stage().complete(null);
    Taken second = sink.next();
    assertThrows(IllegalStateException.class, () -> first.chunk().buffers());
    assertChunks(at, List.of(second.chunk()));
    download.cancel(false);
    second.stage().complete(null);
    download.quiesced().get(20, TimeUnit.SECONDS);
    assertNothingPinned();
  }

  @Test
  void theRangeSucceedsAfterItsLastStage() throws Exception {
    Manual sink = new Manual();
    Download download = download(sink, ByteRange.of(0, CHUNK_BYTES));
    Taken only = sink.next();
    assertNeighbourReads();
    assertFalse(download.range(0).isDone());
    only.stage().complete(null);
    assertEquals(CHUNK_BYTES, download.range(0).get(20, TimeUnit.SECONDS).length());
  }

  @Test
  void aFailedStageFailsItsRangeAlone() throws Exception {
    Manual sink = new Manual();
    byte[] neighbour = new byte[2 << 20];
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.toAsync(sink, WHOLE),
                RangeRequest.into(neighbour, 0, ByteRange.of(9, 2 << 20))));
    Exception mine = new Exception("disk full");
    sink.next().stage().completeExceptionally(mine);
    assertSame(mine, failureOf(download.range(0)));
    assertEquals(2 << 20, download.range(1).get(20, TimeUnit.SECONDS).length());
    download.quiesced().get(20, TimeUnit.SECONDS);
    assertEquals(1, sink.calls.get());
    assertNothingPinned();
  }

  @Test
  void theExceptionOfADependentStageIsUnwrapped() throws Exception {
    IllegalStateException mine = new IllegalStateException("mine");
    AsyncRangeSink sink =
        chunk ->
            CompletableFuture.supplyAsync(() -> chunk.length())
                .thenApply(
                    length -> {
                      throw mine;
                    });
    assertSame(mine, failureOf(download(sink, WHOLE).range(0)));
  }

  @Test
  void aCompletionExceptionWithoutCauseStaysAsItIs() {
    CompletionException mine = new CompletionException("mine", null);
    AsyncRangeSink sink = chunk -> CompletableFuture.failedStage(mine);
    assertSame(mine, failureOf(download(sink, WHOLE).range(0)));
  }

  @Test
  void aSinkThatThrowsFailsItsRange() {
    Exception mine = new Exception("mine");
    AsyncRangeSink sink =
        chunk -> {
          throw mine;
        };
    assertSame(mine, failureOf(download(sink, WHOLE).range(0)));
    assertNothingPinned();
  }

  @Test
  void aSinkThatReturnsNothingFailsItsRange() {
    Throwable failure = failureOf(download(chunk -> null, WHOLE).range(0));
    assertInstanceOf(RangeException.class, failure);
    assertTrue(failure.getMessage().startsWith("the sink returned null"), failure.getMessage());
    assertNothingPinned();
  }

  @Test
  void aStageThatNeverCompletesHoldsUpItsRangeAlone() throws Exception {
    Manual sink = new Manual();
    Download download = download(sink, WHOLE);
    Taken stuck = sink.next();
    assertNeighbourReads();
    assertTrue(download.range(0).cancel(false));
    assertThrows(CancellationException.class, () -> download.range(0).join());
    assertNeighbourReads();
    assertChunks(0, List.of(stuck.chunk()));
    assertFalse(download.quiesced().isDone());
    stuck.stage().complete(null);
    download.quiesced().get(20, TimeUnit.SECONDS);
    assertEquals(1, sink.calls.get());
    assertNothingPinned();
  }

  @Test
  void aStageMayCompleteAfterTheClientIsClosed() throws Exception {
    Manual sink = new Manual();
    Download download = download(sink, WHOLE);
    Taken late = sink.next();
    client.close();
    assertTrue(download.range(0).isCompletedExceptionally());
    assertChunks(0, List.of(late.chunk()));
    late.stage().complete(null);
    download.quiesced().get(20, TimeUnit.SECONDS);
    assertThrows(IllegalStateException.class, () -> late.chunk().buffers());
  }

  @Test
  void futuresAreNotForTheEventLoop() {
    RangeRequest request = RangeRequest.toAsync(new Manual(), WHOLE);
    assertThrows(IllegalStateException.class, request::onEventLoop);
    assertTrue(request.toString().contains("sink of futures"), request.toString());
  }
}
