// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.options;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.retries;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.SessionException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.FakeGcs;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retry, resume, timeouts and connections. */
@Timeout(60)
class RetriesTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  private static StreamScript endAfter(long bytes, StatusCode code) {
    return StreamScript.at(When.sent(bytes), StreamAction.end(code));
  }

  private int streams() {
    return gcs.server().streams().size();
  }

  @Test
  void b37_resumesExactlyAfterTheDeliveredBytes() {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, endAfter(8, StatusCode.UNAVAILABLE));
    gcs.assertReads(gcs.opened(), content, 10, 20);
    StreamRecord.Range again = gcs.server().stream(2).ranges().get(0);
    assertEquals(18, again.offset());
    assertEquals(12, again.length());
  }

  @Test
  void b40_attemptsAreCountedOnce() {
    gcs.put(100);
    gcs.server()
        .onEveryStream(
            StreamScript.at(When.opened(), StreamAction.end(StatusCode.UNAVAILABLE, "down")));
    MultiRangeDownloader mrd = gcs.open(options().retryPolicy(retries().maxAttempts(3).build()));
    SessionException e = failure(SessionException.class, mrd.read(ByteRange.of(0, 10)));
    assertEquals(3, streams());
    assertEquals(3, e.context().attempts());
    assertEquals(StatusCode.UNAVAILABLE, e.status());
    assertEquals(2, e.getSuppressed().length);
    assertTrue(e.getSuppressed()[0].getMessage().contains("down"));
    assertTrue(e.getMessage().contains("down"), e::getMessage);
  }

  @Test
  void b40_oneFailureIsOneReopen() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(1, StreamScript.at(When.opened(), StreamAction.end(StatusCode.UNAVAILABLE)));
    gcs.assertReads(gcs.open(), content, 0, 10);
    assertEquals(2, streams());
  }

  @Test
  void b41_waitsTheBackOffOnce() {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, endAfter(4, StatusCode.UNAVAILABLE));
    RetryPolicy fixed = query -> new RetryPolicy.Verdict.Continue(Duration.ofMillis(400));
    gcs.assertReads(gcs.opened(options().retryPolicy(fixed)), content, 0, 10);
    long waitedNanos =
        gcs.server().stream(2).startedNanos() - gcs.server().stream(1).end().orElseThrow().nanos();
    assertTrue(waitedNanos >= 400_000_000L, () -> waitedNanos + " ns");
    // The row says 600 ms: twice the back-off would be 800.
    assertTrue(waitedNanos < 800_000_000L, () -> waitedNanos + " ns");
  }

  @Test
  void b42_progressGivesNewAttempts() {
    ObjectContent content = gcs.put(11 << 16);
    gcs.server().onEveryStream(endAfter(1 << 16, StatusCode.UNAVAILABLE));
    MultiRangeDownloader mrd = gcs.open(options().retryPolicy(retries().maxAttempts(3).build()));
    gcs.assertReads(mrd, content, 0, 11 << 16);
    assertTrue(streams() >= 11);
  }

  @Test
  void b42_breaksWithoutProgressFail() {
    gcs.put(100);
    gcs.server()
        .onStream(1, endAfter(4, StatusCode.UNAVAILABLE))
        .onEveryStream(
            StreamScript.at(When.rangesReceived(1), StreamAction.end(StatusCode.UNAVAILABLE)));
    MultiRangeDownloader mrd = gcs.opened(options().retryPolicy(retries().maxAttempts(3).build()));
    SessionException e = failure(SessionException.class, mrd.read(ByteRange.of(0, 10)));
    assertEquals(4, e.context().bytesDelivered());
    assertEquals(3, e.context().attempts());
    assertEquals(3, streams());
  }

  /** Time counts from the first failure since the last byte, not from the start. */
  @Test
  void b43_longTransferKeepsItsBudget() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .at(When.sent(10), StreamAction.delay(Duration.ofMillis(400)))
                .at(When.sent(20), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    MultiRangeDownloader mrd =
        gcs.opened(options().retryPolicy(retries().maxElapsed(Duration.ofMillis(100)).build()));
    gcs.assertReads(mrd, content, 0, 50);
    assertEquals(2, streams());
  }

  @Test
  void b44_streamHasNoDeadline() {
    ObjectContent content = gcs.put(100);
    StreamScript.Builder script = StreamScript.builder();
    for (int i = 1; i <= 8; i++) {
      script.at(When.sent(i * 10), StreamAction.delay(Duration.ofMillis(100)));
    }
    gcs.server().onStream(1, script.build());
    MultiRangeDownloader mrd =
        gcs.opened(
            options()
                .openTimeout(Duration.ofMillis(700))
                .retryPolicy(retries().maxElapsed(Duration.ofMillis(500)).build()));
    gcs.assertReads(mrd, content, 0, 100);
    assertEquals(1, streams());
    assertEquals(List.of(), gcs.server().stream(1).header("grpc-timeout"));
  }

  @Test
  void b45_silentStreamIsReplaced() throws Exception {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.sent(10), StreamAction.hold(gcs.gate())));
    MultiRangeDownloader mrd = gcs.opened(options().stallTimeout(Duration.ofMillis(300)));
    gcs.assertReads(mrd, content, 5, 40);
    StreamRecord stalled =
        gcs.server().awaitStream(1, "end", stream -> stream.end().isPresent(), SOON);
    assertEquals(EndKind.CANCELLED, stalled.end().orElseThrow().kind());
    StreamRecord.Range again = gcs.server().stream(2).ranges().get(0);
    assertEquals(15, again.offset());
    assertEquals(30, again.length());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b45_openWithoutAnswerFailsInTime(boolean headersOnly) throws Exception {
    gcs.put(100);
    gcs.server()
        .onEveryStream(
            StreamScript.at(
                headersOnly ? When.called() : When.opened(), StreamAction.hold(gcs.gate())));
    long begin = System.nanoTime();
    MultiRangeDownloader mrd =
        gcs.open(
            options()
                .openTimeout(Duration.ofMillis(200))
                .retryPolicy(retries().maxAttempts(2).build()));
    SessionException e = failure(SessionException.class, mrd.opened());
    long tookNanos = System.nanoTime() - begin;
    assertEquals(StatusCode.DEADLINE_EXCEEDED, e.status());
    assertEquals(2, streams());
    assertTrue(tookNanos >= 2 * 200_000_000L, () -> tookNanos + " ns for two attempts");
    gcs.server().awaitNoOpenStreams(SOON);
  }

  @Test
  void b45_slowCallerIsNoStall() throws Exception {
    ObjectContent content = gcs.put(32 << 20);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch first = new CountDownLatch(1);
    AtomicLong bytes = new AtomicLong();
    MultiRangeDownloader mrd = gcs.opened(options().stallTimeout(Duration.ofMillis(200)));
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.to(
                    chunk -> {
                      first.countDown();
                      blocked.await();
                      chunk.buffers().forEach(b -> assertTrue(content.matches(at(bytes, b), b)));
                    },
                    ByteRange.all())));
    assertTrue(first.await(20, TimeUnit.SECONDS));
    // Nothing ends this wait early: it is several stall timeouts long.
    assertThrows(TimeoutException.class, () -> download.get(800, TimeUnit.MILLISECONDS));
    blocked.countDown();
    assertEquals(32 << 20, get(download).get(0).length());
    assertEquals(1, streams());
  }

  private static long at(AtomicLong bytes, ByteBuffer buffer) {
    return bytes.getAndAdd(buffer.remaining());
  }

  @Test
  void b45_idleSessionIsLeftAlone() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader idle =
        gcs.opened(
            options()
                .stallTimeout(Duration.ofMillis(100))
                .openTimeout(Duration.ofMillis(100))
                .rangeTimeout(Duration.ofMillis(100)));
    gcs.assertReads(idle, content, 0, 10);
    gcs.server()
        .onStream(2, StreamScript.at(When.opened(), StreamAction.delay(Duration.ofMillis(500))));
    gcs.opened(); // Five of the idle one's timeouts.
    gcs.assertReads(idle, content, 20, 10);
    assertEquals(1, gcs.server().stream(1).header("x-goog-request-params").size());
    assertEquals(2, gcs.server().stream(1).ranges().size());
    assertEquals(2, streams());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8})
  void b46_resetStreamIsResumed(int http2ErrorCode) {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.sent(7), StreamAction.reset(http2ErrorCode)));
    gcs.assertReads(gcs.opened(), content, 10, 20);
    assertEquals(17, gcs.server().stream(2).ranges().get(0).offset());
  }

  @Test
  void b46_droppedConnectionIsResumed() {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.sent(7), StreamAction.dropConnection()));
    gcs.assertReads(gcs.opened(), content, 10, 20);
    assertEquals(2, gcs.server().connections());
  }

  @ParameterizedTest
  @EnumSource(
      names = {"UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED"})
  void b46_transientStatusIsResumed(StatusCode code) {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, endAfter(7, code));
    gcs.assertReads(gcs.opened(), content, 10, 20);
    assertEquals(2, streams());
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "PERMISSION_DENIED",
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "FAILED_PRECONDITION",
        "UNAUTHENTICATED",
        "UNIMPLEMENTED",
        "DATA_LOSS"
      })
  void b46_permanentStatusIsNotRetried(StatusCode code) {
    gcs.put(100);
    gcs.server().onStream(1, endAfter(7, code));
    GcsException e = failure(GcsException.class, gcs.opened().read(ByteRange.of(10, 20)));
    assertEquals(code, e.status());
    assertEquals(1, streams());
  }

  @Test
  void b46_abortedOpenIsNotRetried() {
    gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.opened(), StreamAction.end(StatusCode.ABORTED)));
    GcsException e = failure(GcsException.class, gcs.open().read(ByteRange.of(10, 20)));
    assertEquals(StatusCode.ABORTED, e.status());
    assertEquals(1, streams());
  }

  @Test
  void b47_ageingConnectionsDisturbNobody() throws Exception {
    gcs.serve(
        FakeGcs.builder()
            .maxConnectionAge(Duration.ofMillis(200), Duration.ofMillis(50))
            .chunkBytes(1 << 16));
    ObjectContent content = gcs.put(4 << 20);
    MultiRangeDownloader mrd = gcs.open();
    for (int i = 0; gcs.server().connections() < 4; i++) {
      gcs.assertReads(mrd, content, i % 3 * 100_000L, 1 << 20);
    }
  }

  @Test
  void b47_goAwayLetsTheStreamGoOn() throws Exception {
    ObjectContent content = gcs.put(1 << 20);
    gcs.server().onStream(1, StreamScript.at(When.sent(100), StreamAction.goAway()));
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 0, 1 << 20);
    gcs.assertReads(mrd, content, 5, 100);
    assertEquals(1, streams());
  }

  /** gRPC leaves such a connection to the server; the client's close does not. */
  @Test
  void b47_closeDoesNotWaitForAConnectionThatGoesAway() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    gcs.server().sendGoAway();
    gcs.assertReads(gcs.opened(), content, 0, 10);
    gcs.assertReads(mrd, content, 0, 10);
    long before = System.nanoTime();
    gcs.client().close();
    long tookNanos = System.nanoTime() - before;
    assertTrue(tookNanos < 4_000_000_000L, () -> tookNanos + " ns");
  }

  /**
   * No stream is half-closed here but by a close: what is submitted beside it is told just that.
   */
  @Test
  void b48_rangeBesideAHalfCloseEndsCleanly() throws Exception {
    ObjectContent content = gcs.put(100);
    for (int i = 0; i < 50; i++) {
      MultiRangeDownloader mrd = gcs.opened();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(mrd::closeAsync);
      CompletableFuture<byte[]> read = mrd.read(ByteRange.of(0, 10));
      get(closed);
      try {
        assertRange(content, 0, 10, read.get(20, TimeUnit.SECONDS));
      } catch (ExecutionException e) {
        assertInstanceOf(SessionClosedException.class, e.getCause());
      }
    }
  }

  /** The server half-closes by ending the stream; the next range finds another. */
  @Test
  void b48_idleEndAndNewRangeAtTheSameTime() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    for (int i = 1; i <= 50; i++) {
      gcs.server().perform(streams(), StreamAction.end(StatusCode.OK));
      gcs.assertReads(mrd, content, i, 10);
    }
  }

  @Test
  void b49_okWithPendingRangesIsResumed() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .chunkBytes(5)
                .at(When.sent(10), StreamAction.end(StatusCode.OK))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    byte[] first = new byte[10];
    byte[] second = new byte[10];
    get(
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(first, 0, ByteRange.of(0, 10)),
                RangeRequest.into(second, 0, ByteRange.of(50, 10)))));
    assertRange(content, 0, 10, first);
    assertRange(content, 50, 10, second);
    assertEquals(
        List.of(5L, 55L),
        gcs.server().stream(2).ranges().stream().map(StreamRecord.Range::offset).toList());
    assertEquals(2, streams());
  }

  @Test
  void b49_okForEverIsBounded() {
    gcs.put(100);
    gcs.server()
        .onEveryStream(StreamScript.at(When.rangesReceived(1), StreamAction.end(StatusCode.OK)));
    MultiRangeDownloader mrd = gcs.opened(options().retryPolicy(retries().maxAttempts(3).build()));
    SessionException e = failure(SessionException.class, mrd.read(ByteRange.of(0, 10)));
    assertEquals(0, e.context().bytesDelivered());
    assertEquals(3, streams());
  }

  @Test
  void b50_oneBreakIsOneReopenHoweverManyRanges() {
    ObjectContent content = gcs.put(10_000);
    gcs.server()
        .onStream(
            1, StreamScript.at(When.rangesReceived(50), StreamAction.end(StatusCode.UNAVAILABLE)));
    MultiRangeDownloader mrd = gcs.opened();
    ByteBuffer all = ByteBuffer.allocate(5_000);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      requests.add(RangeRequest.into(all.slice(i * 100, 100), ByteRange.of(i * 100L, 100)));
    }
    get(mrd.downloadRanges(requests));
    assertRange(content, 0, 5_000, all);
    assertEquals(2, streams());
    assertEquals(50, gcs.server().stream(2).messages().get(0).ranges().size());
  }

  @Test
  void b50_clientOutlivesAFailedSession() {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, endAfter(4, StatusCode.PERMISSION_DENIED));
    MultiRangeDownloader failed = gcs.opened();
    failure(AccessDeniedException.class, failed.read(ByteRange.of(0, 10)));
    failure(AccessDeniedException.class, failed.read(ByteRange.of(0, 10)));
    gcs.assertReads(gcs.open(), content, 0, 10);
  }

  @Test
  void b51_missingObjectIsNamed() {
    ObjectNotFoundException e = failure(ObjectNotFoundException.class, gcs.open().opened());
    assertEquals(GcsMrdFixture.BUCKET, e.context().bucket());
    assertEquals(GcsMrdFixture.OBJECT, e.context().object());
    assertTrue(e.getMessage().contains("gs://bucket/object"), e::getMessage);
    assertEquals(1, streams());
  }

  @Test
  void rule15_acceptAndBreakAtOnceIsBounded() {
    gcs.put(100);
    gcs.server()
        .onEveryStream(StreamScript.at(When.answered(), StreamAction.end(StatusCode.UNAVAILABLE)));
    MultiRangeDownloader mrd = gcs.open(options().retryPolicy(retries().maxAttempts(4).build()));
    get(mrd.opened());
    gcs.server().clearScripts();
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .ranges(RangeScript.builder().hold(0, gcs.gate()).build())
                .at(When.rangesReceived(1), StreamAction.emptyResponses(1))
                .at(When.rangesReceived(1), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    int before = streams();
    failure(SessionException.class, mrd.read(ByteRange.of(0, 10)));
    assertTrue(streams() - before <= 4);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABORTED", "OK", "UNAVAILABLE", "CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED"})
  void rule18_idleEndIsNoFailure(StatusCode code) throws Exception {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    gcs.server().perform(1, StreamAction.end(code));
    gcs.server().awaitNoOpenStreams(SOON);
    gcs.assertReads(mrd, content, 0, 10);
    assertEquals(2, streams());
  }

  @ParameterizedTest
  @EnumSource(names = {"CANCELLED", "UNKNOWN"})
  void rule19_serverEndsAreResumed(StatusCode code) {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, endAfter(7, code));
    gcs.assertReads(gcs.opened(), content, 0, 10);
    assertEquals(2, streams());
  }

  @Test
  void rule20_rangeSubmittedDuringBackOffJoinsTheOthers() throws Exception {
    ObjectContent content = gcs.put(100);
    CountDownLatch inBackOff = new CountDownLatch(1);
    RetryPolicy policy =
        query -> {
          inBackOff.countDown();
          return new RetryPolicy.Verdict.Continue(Duration.ofMillis(300));
        };
    gcs.server().onStream(1, endAfter(4, StatusCode.UNAVAILABLE));
    MultiRangeDownloader mrd = gcs.opened(options().retryPolicy(policy));
    CompletableFuture<byte[]> older = mrd.read(ByteRange.of(0, 10));
    assertTrue(inBackOff.await(20, TimeUnit.SECONDS));
    CompletableFuture<byte[]> newer = mrd.read(ByteRange.of(50, 10));
    assertRange(content, 0, 10, get(older));
    assertRange(content, 50, 10, get(newer));
    assertEquals(2, streams());
    assertEquals(
        List.of(4L, 50L),
        gcs.server().stream(2).messages().get(0).ranges().stream()
            .map(StreamRecord.Range::offset)
            .toList());
  }

  @Test
  void rule21_replacedStreamDisturbsNobody() throws Exception {
    ObjectContent content = gcs.put(100);
    Gate old = gcs.gate();
    gcs.server().onStream(1, StreamScript.at(When.sent(4), StreamAction.hold(old)));
    MultiRangeDownloader mrd = gcs.opened(options().stallTimeout(Duration.ofMillis(200)));
    gcs.server()
        .onStream(
            2,
            StreamScript.at(
                When.sent(3),
                StreamAction.run(
                    () -> {
                      old.open();
                      gcs.server().perform(1, StreamAction.end(StatusCode.PERMISSION_DENIED));
                    })));
    gcs.assertReads(mrd, content, 0, 40);
    gcs.assertReads(mrd, content, 50, 10);
    assertEquals(2, streams());
  }

  @Test
  void rule25_resendsAtMostAHundredInAMessage() {
    ObjectContent content = gcs.put(10_000);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .ranges(RangeScript.builder().hold(0, gcs.gate()).build())
                .at(When.rangesReceived(250), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    ByteBuffer all = ByteBuffer.allocate(2_500);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      requests.add(RangeRequest.into(all.slice(i * 10, 10), ByteRange.of(i * 10L, 10)));
    }
    get(mrd.downloadRanges(requests));
    assertRange(content, 0, 2_500, all);
    assertEquals(250, gcs.server().stream(2).ranges().size());
    for (StreamRecord.Message message : gcs.server().stream(2).messages()) {
      assertTrue(message.ranges().size() <= 100);
    }
  }

  /** The wait of five seconds is the library's own. */
  @Test
  void rule36_closeIsBounded() throws Exception {
    gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    gcs.server().perform(1, StreamAction.hold(gcs.gate()));
    mrd.close();
    StreamRecord ended =
        gcs.server().awaitStream(1, "end", stream -> stream.end().isPresent(), SOON);
    assertTrue(ended.halfClosed());
    assertEquals(EndKind.CANCELLED, ended.end().orElseThrow().kind());
  }

  @Test
  void rangeThatGetsNothingWhileOthersFlowEndsByItsOwnLimit() {
    ObjectContent content = gcs.put(1_000);
    gcs.server().onRange(RangeMatch.offset(0), RangeScript.builder().hold(4, gcs.gate()).build());
    MultiRangeDownloader mrd = gcs.opened(options().rangeTimeout(Duration.ofMillis(300)));
    CompletableFuture<byte[]> starved = mrd.read(ByteRange.of(0, 10));
    int reads = 0;
    while (!starved.isDone()) {
      gcs.assertReads(mrd, content, 100 + reads++ % 100, 50);
    }
    RangeTimeoutException e = failure(RangeTimeoutException.class, starved);
    assertEquals(4, e.context().bytesDelivered());
    assertEquals(1, streams());
  }

  @Test
  void messageBeyondTheLimitIsPermanent() {
    gcs.put(100);
    gcs.server()
        .onRange(
            RangeMatch.any(),
            RangeScript.builder().at(0, StreamAction.stray(77, 0, new byte[17 << 20])).build());
    SessionException e = failure(SessionException.class, gcs.opened().read(ByteRange.of(0, 10)));
    assertEquals(StatusCode.RESOURCE_EXHAUSTED, e.status());
    assertEquals(1, streams());
  }
}
