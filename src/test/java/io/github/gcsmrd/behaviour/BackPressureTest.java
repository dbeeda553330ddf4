// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.await;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamScript;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Destinations that are slow, stand still or keep what they got: what that costs in memory, and
 * that it costs others nothing. Bytes are counted rather than time.
 */
@Timeout(120)
class BackPressureTest {
  private static final int MIB = 1 << 20;

  /** What a range that can lack demand may have in hand. */
  private static final long CREDIT_BYTES = 8L * MIB;

  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  /** Each small result comes in one message with a large piece that is not kept. */
  @Test
  void b73_keptSmallResultsKeepNoMessage() throws Exception {
    int large = 256 << 10;
    int small = 4 << 10;
    int count = 1_000;
    gcs.serve(FakeGcs.builder().chunkBytes(large));
    ObjectContent content = gcs.put(64 * MIB);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .order(StreamScript.Order.SEQUENTIAL)
                .piecesPerResponse(2)
                .build());
    Queue<Chunk> kept = new ConcurrentLinkedQueue<>();
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(
          RangeRequest.to(
                  chunk -> {
                    if (chunk.length() == small) {
                      kept.add(chunk.retain());
                    }
                  },
                  ByteRange.of(i * 8L, large + small))
              .onEventLoop());
    }
    MultiRangeDownloader mrd = gcs.opened();
    get(mrd.downloadRanges(requests));
    assertEquals(count + 1, gcs.server().stream(1).responsesSent(), "not two pieces a message");
    await("release of the messages", () -> gcs.client().pinnedBytes() == 0);
    assertEquals(count, kept.size());
    for (Chunk chunk : kept) {
      ByteBuffer copy = ByteBuffer.allocate(small);
      chunk.copyTo(copy);
      assertRange(content, chunk.offset(), small, copy.flip());
      chunk.close();
    }
  }

  /** A consumer of a GiB that stands still first, goes on for a while, and gives up. */
  @Test
  void b75_theServerIsNeverMoreThanTheCreditAheadOfASlowConsumer() throws Exception {
    long limit = 64L * MIB;
    gcs.connect(GcsClient.builder().noCredentials().sinkMemoryBytes(limit));
    ObjectContent content = gcs.put(1L << 30);
    MultiRangeDownloader mrd = gcs.opened();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicLong consumed = new AtomicLong();
    AtomicLong furthestAhead = new AtomicLong();
    AtomicLong mostPinned = new AtomicLong();
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.to(
                    chunk -> {
                      entered.countDown();
                      go.await();
                      long ahead = gcs.server().stream(1).payloadBytesSent() - consumed.get();
                      furthestAhead.accumulateAndGet(ahead, Math::max);
                      mostPinned.accumulateAndGet(gcs.client().pinnedBytes(), Math::max);
                      consumed.addAndGet(chunk.length());
                    },
                    ByteRange.of(0, 1L << 30))));
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    // What was asked for is all that comes, however long it stands still: later ranges come after.
    gcs.assertReads(mrd, content, 5, 1_000);
    consumed.addAndGet(1_000);
    assertTrue(gcs.server().stream(1).payloadBytesSent() <= CREDIT_BYTES + 1_000);
    go.countDown();
    await("progress", () -> consumed.get() > 128L * MIB);
    download.cancel(false);
    get(download.quiesced());
    assertTrue(furthestAhead.get() <= CREDIT_BYTES, () -> furthestAhead + " bytes ahead");
    assertTrue(mostPinned.get() <= limit, () -> mostPinned + " bytes pinned");
  }

  @Test
  void b76_aStreamThatNobodyConsumesHoldsUpNoOther() throws Exception {
    ObjectContent content = gcs.put(256 * MIB);
    MultiRangeDownloader mrd = gcs.opened();
    OneAtATime unread = new OneAtATime();
    mrd.publisher(ByteRange.of(0, 64 * MIB)).subscribe(unread);
    OneAtATime begun = new OneAtATime();
    mrd.publisher(ByteRange.of(64 * MIB, 64 * MIB)).views().subscribe(begun);
    begun.subscription.request(1);
    await("the first chunk", () -> begun.bytes.get() > 0);
    long first = begun.bytes.get();
    List<CompletableFuture<byte[]>> others = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      others.add(mrd.read(ByteRange.of(i * 5L * MIB, 4 * MIB)));
    }
    for (int i = 0; i < 25; i++) {
      assertRange(content, i * 5L * MIB, 4 * MIB, get(others.get(i)));
    }
    assertEquals(0, unread.bytes.get());
    assertEquals(first, begun.bytes.get());
    assertEquals(1, gcs.server().streams().size());
    unread.subscription.request(Long.MAX_VALUE);
    begun.subscription.request(Long.MAX_VALUE);
    get(unread.end);
    get(begun.end);
    assertEquals(64L * MIB, unread.bytes.get());
    assertEquals(64L * MIB, begun.bytes.get());
  }

  /** Counts what it gets, and asks for nothing itself. */
  private static final class OneAtATime implements Flow.Subscriber<Chunk> {
    final AtomicLong bytes = new AtomicLong();
    final CompletableFuture<Void> end = new CompletableFuture<>();
    volatile Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription mine) {
      subscription = mine;
    }

    @Override
    public void onNext(Chunk chunk) {
      bytes.addAndGet(chunk.length());
      chunk.close();
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  /**
   * While sinks stand still the stream carries what their neighbours asked for, byte for byte, and
   * nothing else: they have all of it, far more than could be under way at once.
   */
  @Test
  void neighboursOfSinksThatStandStillHaveTheWholeStream() throws Exception {
    ObjectContent content = gcs.put(1L << 30);
    MultiRangeDownloader mrd = gcs.opened();
    int still = 24;
    CountDownLatch entered = new CountDownLatch(still);
    CountDownLatch go = new CountDownLatch(1);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < still; i++) {
      requests.add(
          RangeRequest.to(new Stopped(entered, go)::stop, ByteRange.of(i * 40L * MIB, 40 * MIB)));
    }
    Download stopped = mrd.downloadRanges(requests);
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    awaitAnswered();
    long before = gcs.server().stream(1).payloadBytesSent();
    int length = 4 * MIB;
    int rounds = 32;
    byte[] bytes = new byte[length];
    for (int i = 0; i < rounds; i++) {
      get(
          mrd.downloadRanges(
              List.of(RangeRequest.into(bytes, 0, ByteRange.of(i * 1_000L, length)))));
      assertRange(content, i * 1_000L, length, bytes);
    }
    assertEquals((long) rounds * length, gcs.server().stream(1).payloadBytesSent() - before);
    assertEquals(1, gcs.server().streams().size());
    stopped.cancel(false);
    go.countDown();
    get(stopped.quiesced());
  }

  /** Everything that was asked for has been sent: those who stand still have their credit full. */
  private void awaitAnswered() throws InterruptedException {
    gcs.server()
        .awaitStream(
            1, "all answered", stream -> stream.rangesFinished() == stream.ranges().size(), SOON);
  }

  /** A sink that stands still at its first chunk. */
  private record Stopped(CountDownLatch entered, CountDownLatch go) {
    void stop(Chunk chunk) throws InterruptedException {
      entered.countDown();
      go.await();
      assertTrue(chunk.length() > 0);
    }
  }
}
