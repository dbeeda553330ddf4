// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.await;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamRecord.EndKind;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads, callbacks, cancellation and close. */
@Timeout(60)
class ConcurrencyTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  private static void runTogether(int threads, IntConsumer task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  task.accept(number);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void assertIdsDiffer(int stream) {
    List<StreamRecord.Range> asked = gcs.server().stream(stream).ranges();
    assertEquals(asked.size(), asked.stream().map(StreamRecord.Range::readId).distinct().count());
  }

  @Test
  void b79_manyThreadsGetTheirOwnBytes() throws Exception {
    ObjectContent content = gcs.put(1 << 20);
    gcs.server().onEveryStream(StreamScript.builder().chunkBytes(700).build());
    MultiRangeDownloader mrd = gcs.open();
    runTogether(
        16,
        thread -> {
          Random random = new Random(thread);
          for (int batch = 0; batch < 4; batch++) {
            List<Integer> offsets = random.ints(50, 0, 1 << 19).boxed().toList();
            List<CompletableFuture<byte[]>> reads =
                offsets.stream().map(at -> mrd.read(ByteRange.of(at, 1 + at % 2_000))).toList();
            for (int i = 0; i < 50; i++) {
              int at = offsets.get(i);
              assertRange(content, at, 1 + at % 2_000, get(reads.get(i)));
            }
          }
        });
    assertEquals(3_200, gcs.server().stream(1).ranges().size());
    assertIdsDiffer(1);
  }

  @Test
  void b80_secondBatchIsSentWhileTheFirstIsPending() throws Exception {
    ObjectContent content = gcs.put(1_000);
    Gate bothCame = gcs.gate();
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().hold(0, bothCame).build());
    MultiRangeDownloader mrd = gcs.opened();
    byte[] first = new byte[100];
    byte[] second = new byte[100];
    Download one = mrd.downloadRanges(List.of(RangeRequest.into(first, 0, ByteRange.of(0, 100))));
    gcs.server().awaitRanges(1, SOON);
    Download two =
        mrd.downloadRanges(List.of(RangeRequest.into(second, 0, ByteRange.of(500, 100))));
    gcs.server().awaitRanges(2, SOON);
    bothCame.open();
    get(one);
    get(two);
    assertRange(content, 0, 100, first);
    assertRange(content, 500, 100, second);
  }

  @Test
  void b81_everyRangeArrivesOnce() throws Exception {
    ObjectContent content = gcs.put(10_000);
    MultiRangeDownloader mrd = gcs.open();
    Queue<CompletableFuture<byte[]>> reads = new ConcurrentLinkedQueue<>();
    runTogether(
        32,
        thread -> {
          for (int i = 0; i < 20; i++) {
            reads.add(mrd.read(ByteRange.of(thread * 20 + i, 10)));
          }
        });
    reads.forEach(GcsMrdFixture::get);
    assertEquals(1, gcs.server().streams().size());
    List<Long> offsets =
        gcs.server().stream(1).ranges().stream().map(StreamRecord.Range::offset).sorted().toList();
    assertEquals(LongStream.range(0, 640).boxed().toList(), offsets);
    assertEquals(10_000, content.size());
  }

  /** The client has one event loop. */
  @Test
  void b82_callbackMayBlockSubmitAndClose() throws Exception {
    ObjectContent content = gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    CountDownLatch otherDone = new CountDownLatch(1);
    Gate attached = gcs.gate();
    gcs.server().perform(1, StreamAction.hold(attached));
    CompletableFuture<byte[]> inCallback =
        mrd.read(ByteRange.of(0, 10))
            .thenApply(
                bytes -> {
                  awaitLatch(otherDone);
                  byte[] nested = get(mrd.read(ByteRange.of(40, 10)));
                  mrd.close();
                  return nested;
                });
    attached.open();
    gcs.assertReads(mrd, content, 20, 10);
    otherDone.countDown();
    assertRange(content, 40, 10, get(inCallback));
    failure(SessionClosedException.class, mrd.read(ByteRange.of(0, 10)));
  }

  @Test
  void b82_callbackOfARangeMayWaitForTheWholeDownload() {
    gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    Gate attached = gcs.gate();
    gcs.server().perform(1, StreamAction.hold(attached));
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(new byte[10], 0, ByteRange.of(0, 10)),
                RangeRequest.into(new byte[10], 0, ByteRange.of(10, 10))));
    CompletableFuture<Integer> inCallback =
        download.range(0).thenApply(first -> download.join().size());
    attached.open();
    assertEquals(2, get(inCallback));
  }

  /** Both are answered by one message, so that their futures are completed together. */
  @Test
  void b82_blockedCallbackHoldsUpNobodyElse() {
    ObjectContent content = gcs.put(1_000);
    gcs.server().onStream(1, StreamScript.builder().piecesPerResponse(20).build());
    MultiRangeDownloader mrd = gcs.opened();
    CountDownLatch allOthers = new CountDownLatch(19);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      requests.add(RangeRequest.into(new byte[10], 0, ByteRange.of(i, 10)));
    }
    Gate together = gcs.gate();
    gcs.server().perform(1, StreamAction.hold(together));
    Download download = mrd.downloadRanges(requests);
    CompletableFuture<Void> first = download.range(0).thenAccept(r -> awaitLatch(allOthers));
    CompletableFuture<Void> second = download.range(1).thenAccept(r -> allOthers.countDown());
    for (int i = 2; i < 20; i++) {
      var unused = download.range(i).thenAccept(r -> allOthers.countDown());
    }
    together.open();
    get(second);
    get(first);
    get(download);
    gcs.assertReads(mrd, content, 0, 10);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** On the event loop itself a close must not wait for that loop. */
  @Test
  void b82_sinkOnTheLoopMayClose() {
    gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.to(chunk -> mrd.close(), ByteRange.from(0)).onEventLoop(),
                RangeRequest.to(chunk -> {}, ByteRange.of(500, 10))));
    assertTrue(
        download.range(0).handle((result, failure) -> true).orTimeout(20, TimeUnit.SECONDS).join());
    get(mrd.closeAsync());
  }

  @Test
  void b83_nullsAreRefusedAtTheCall() {
    gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    assertThrows(NullPointerException.class, () -> RangeRequest.to(null, ByteRange.all()));
    assertThrows(NullPointerException.class, () -> RangeRequest.to(chunk -> {}, null));
    assertThrows(
        NullPointerException.class, () -> RangeRequest.into((ByteBuffer) null, ByteRange.all()));
    assertThrows(
        NullPointerException.class,
        () -> RangeRequest.allocate(ByteRange.all(), null, buffer -> {}));
    assertThrows(NullPointerException.class, () -> mrd.read(null));
    assertThrows(NullPointerException.class, () -> mrd.downloadRanges(null));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b83_throwingSinkFailsItsRangeAlone(boolean onEventLoop) {
    ObjectContent content = gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    IllegalStateException thrown = new IllegalStateException("sink");
    RangeRequest request =
        RangeRequest.to(
            chunk -> {
              throw thrown;
            },
            ByteRange.of(0, 10));
    byte[] other = new byte[100];
    Download download =
        mrd.downloadRanges(
            List.of(
                onEventLoop ? request.onEventLoop() : request,
                RangeRequest.into(other, 0, ByteRange.of(500, 100))));
    assertSame(thrown, failure(IllegalStateException.class, download.range(0)));
    get(download.range(1));
    assertRange(content, 500, 100, other);
    gcs.assertReads(mrd, content, 1, 10);
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b83_throwingCallbackDisturbsNobody() {
    ObjectContent content = gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<Object> stage =
        mrd.read(ByteRange.of(0, 10))
            .thenApply(
                bytes -> {
                  throw new IllegalStateException("callback");
                });
    failure(IllegalStateException.class, stage);
    gcs.assertReads(mrd, content, 1, 10);
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b84_cancelledRangeIsDroppedAndNotAskedForAgain() throws Exception {
    ObjectContent content = gcs.put(1_000);
    Gate late = gcs.gate();
    Gate other = gcs.gate();
    gcs.server()
        .onRange(RangeMatch.offset(0), RangeScript.builder().hold(10, late).build())
        .onRange(RangeMatch.offset(500), RangeScript.builder().hold(10, other).build());
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> first = mrd.read(ByteRange.of(0, 100));
    CompletableFuture<byte[]> second = mrd.read(ByteRange.of(500, 100));
    late.awaitReached(SOON);
    other.awaitReached(SOON);
    assertTrue(first.cancel(false));
    assertTrue(first.isCancelled());
    late.open();
    gcs.server().awaitStream(1, "all of range 1", s -> s.rangesFinished() == 1, SOON);
    gcs.assertReads(mrd, content, 300, 10);
    gcs.server().perform(1, StreamAction.end(StatusCode.UNAVAILABLE));
    assertRange(content, 500, 100, get(second));
    assertEquals(
        List.of(510L),
        gcs.server().stream(2).ranges().stream().map(StreamRecord.Range::offset).toList());
  }

  @Test
  void b84_cancelAndCompletionGiveOneOutcome() {
    ObjectContent content = gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    for (int i = 0; i < 300; i++) {
      CompletableFuture<byte[]> read = mrd.read(ByteRange.of(i, 10));
      if (i % 3 == 0) {
        // Sometimes early, sometimes late: the answer is under way.
        CompletableFuture<byte[]> pacer = mrd.read(ByteRange.of(i, 1));
        get(pacer);
      }
      if (read.cancel(false)) {
        assertTrue(read.isCancelled());
        assertThrows(CancellationException.class, read::join);
      } else {
        assertRange(content, i, 10, get(read));
      }
    }
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b85_closeFailsWhatPendsAndWhatFollows() throws Exception {
    ObjectContent content = gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    byte[] delivered = get(mrd.read(ByteRange.of(700, 10)));
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().hold(0, gcs.gate()).build());
    List<CompletableFuture<byte[]>> pending =
        IntStream.range(0, 3).mapToObj(i -> mrd.read(ByteRange.of(i, 10))).toList();
    gcs.server().awaitRanges(4, SOON);
    mrd.close();
    List<SessionClosedException> failures =
        pending.stream().map(read -> failure(SessionClosedException.class, read)).toList();
    assertNotSame(failures.get(0), failures.get(1));
    assertNotSame(failures.get(1), failures.get(2));
    SessionClosedException later =
        failure(SessionClosedException.class, mrd.read(ByteRange.of(0, 10)));
    assertTrue(later.getMessage().contains("closed"), later::getMessage);
    assertRange(content, 700, 10, delivered);
  }

  @Test
  void b86_closeOfOneSessionIsNoneOfAnother() throws Exception {
    ObjectContent content = gcs.put(1_000);
    Gate held = gcs.gate();
    gcs.server().onRange(RangeMatch.offset(0), RangeScript.builder().hold(0, held).build());
    MultiRangeDownloader one = gcs.opened();
    MultiRangeDownloader other = gcs.opened();
    CompletableFuture<byte[]> mine = one.read(ByteRange.of(0, 10));
    CompletableFuture<byte[]> theirs = other.read(ByteRange.of(0, 10));
    gcs.server().awaitRanges(2, SOON);
    one.close();
    held.open();
    failure(SessionClosedException.class, mine);
    assertRange(content, 0, 10, get(theirs));
  }

  @Test
  void b87_closeDuringTheOpen() throws Exception {
    gcs.put(1_000);
    Gate held = gcs.gate();
    gcs.server().onStream(1, StreamScript.at(When.opened(), StreamAction.hold(held)));
    MultiRangeDownloader mrd = gcs.open();
    held.awaitReached(SOON);
    mrd.close();
    failure(SessionClosedException.class, mrd.opened());
    held.open();
    StreamRecord ended =
        gcs.server().awaitStream(1, "end", stream -> stream.end().isPresent(), SOON);
    assertEquals(EndKind.CANCELLED, ended.end().orElseThrow().kind());
  }

  @Test
  void b87_closeAtOnceAfterCreate() {
    gcs.put(1_000);
    for (int i = 0; i < 50; i++) {
      MultiRangeDownloader mrd = gcs.open();
      CompletableFuture<byte[]> read = mrd.read(ByteRange.of(0, 10));
      mrd.close();
      failure(SessionClosedException.class, read);
      assertTrue(mrd.opened().isDone() || get(mrd.opened().handle((info, e) -> true)));
    }
  }

  @Test
  void b88_resultThatNobodyTakes() throws Exception {
    gcs.put(1 << 20);
    MultiRangeDownloader mrd = gcs.open();
    var unused = mrd.read(ByteRange.all());
    gcs.server().awaitStream(1, "a finished range", s -> s.rangesFinished() == 1, SOON);
    mrd.close();
    gcs.server().awaitNoOpenStreams(SOON);
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b89_closeTwiceFromTwoThreads() throws Exception {
    gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    runTogether(2, thread -> mrd.close());
    mrd.close();
    runTogether(2, thread -> gcs.client().close());
    assertEquals(1, gcs.server().streams().size());
    StreamRecord.End end = gcs.server().stream(1).end().orElseThrow();
    assertEquals(StatusCode.OK, end.code());
    failure(SessionClosedException.class, mrd.read(ByteRange.of(0, 10)));
    assertThrows(IllegalStateException.class, gcs::open);
  }

  @Test
  void b90_interruptEndsTheWaitAndIsKept() throws Exception {
    ObjectContent content = gcs.put(1_000);
    MultiRangeDownloader mrd = gcs.opened();
    MultiRangeDownloader closing = gcs.opened();
    Gate held = gcs.gate();
    gcs.server().perform(2, StreamAction.hold(held));
    gcs.server().onRange(RangeMatch.offset(0), RangeScript.builder().hold(0, gcs.gate()).build());
    CompletableFuture<byte[]> pending = mrd.read(ByteRange.of(0, 10));
    boolean kept;
    long before = System.nanoTime();
    Thread.currentThread().interrupt();
    try {
      assertThrows(InterruptedException.class, pending::get);
      Thread.currentThread().interrupt();
      closing.close();
    } finally {
      kept = Thread.interrupted();
    }
    assertTrue(kept);
    long tookNanos = System.nanoTime() - before;
    assertTrue(tookNanos < 4_000_000_000L, () -> "close waited for " + tookNanos + " ns");
    assertFalse(pending.isDone());
    gcs.assertReads(mrd, content, 500, 10);
  }

  @Test
  void b91_closeLeavesNoThread() {
    gcs.put(1 << 20);
    MultiRangeDownloader mrd = gcs.opened();
    List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    Handler collector = new WarningCollector(warnings);
    Logger root = Logger.getLogger("");
    root.addHandler(collector);
    try {
      List<CompletableFuture<byte[]>> reads =
          IntStream.range(0, 100).mapToObj(i -> mrd.read(ByteRange.of(i, 500_000))).toList();
      gcs.client().close();
      await("end of all reads", () -> reads.stream().allMatch(CompletableFuture::isDone));
      await("end of all threads", () -> libraryThreads().isEmpty());
    } finally {
      root.removeHandler(collector);
    }
    assertEquals(List.of(), warnings);
  }

  private static List<String> libraryThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("gcs-mrd"))
        .toList();
  }

  private static final class WarningCollector extends Handler {
    private final List<String> warnings;

    WarningCollector(List<String> warnings) {
      this.warnings = warnings;
    }

    @Override
    public void publish(LogRecord entry) {
      if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
        warnings.add(entry.getLoggerName() + ": " + entry.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void b95_manyRangesGoInFewMessages() {
    ObjectContent content = gcs.put(10_000);
    MultiRangeDownloader mrd = gcs.opened();
    ByteBuffer all = ByteBuffer.allocate(10_000);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      requests.add(RangeRequest.into(all.slice(i * 10, 10), ByteRange.of(i * 10L, 10)));
    }
    get(mrd.downloadRanges(requests));
    assertRange(content, 0, 10_000, all);
    List<StreamRecord.Message> messages = gcs.server().stream(1).messages();
    assertEquals(1_000, gcs.server().stream(1).ranges().size());
    assertTrue(messages.size() <= 100, () -> messages.size() + " messages");
    for (StreamRecord.Message message : messages) {
      assertTrue(message.ranges().size() <= 100);
    }
  }
}
