// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.DownloadException;
import io.github.gcsmrd.DownloadOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeNotSatisfiableException;
import io.github.gcsmrd.RangeOutcome;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeErrorListing;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.RangeScript.RangeEnd;
import io.github.gcsmrd.testing.StatusDetails;
import io.github.gcsmrd.testing.StatusDetails.RangeError;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges that never finished elsewhere, or finished wrongly. */
@Timeout(60)
class NeverEndingRangesTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  @ParameterizedTest
  @ValueSource(ints = {20, 7})
  void b01_finishesBoundedRangeWithItsBytes(int chunkBytes) {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onRange(
            RangeMatch.any(),
            RangeScript.builder().chunkBytes(chunkBytes).rangeEnd(RangeEnd.MISSING).build());
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 10, 20);
    assertEquals(1, gcs.server().openStreams());
  }

  @Test
  void b01_waitsForTheEndOfAnOpenRange() throws Exception {
    ObjectContent content = gcs.put(100);
    Gate end = gcs.gate();
    gcs.server()
        .onRange(
            RangeMatch.offset(30),
            RangeScript.builder().rangeEnd(RangeEnd.LATE).hold(70, end).build());
    MultiRangeDownloader mrd = gcs.open();
    CompletableFuture<byte[]> toEnd = mrd.read(ByteRange.from(30));
    end.awaitReached(SOON);
    // Answered after the bytes of the open range: those have been delivered by then.
    gcs.assertReads(mrd, content, 0, 10);
    assertFalse(toEnd.isDone());
    end.open();
    assertRange(content, 30, 70, get(toEnd));
  }

  @Test
  void b01_ignoresLateRangeEnd() {
    ObjectContent content = gcs.put(100);
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().rangeEnd(RangeEnd.TWICE).build());
    MultiRangeDownloader mrd = gcs.open();
    for (int i = 0; i < 5; i++) {
      gcs.assertReads(mrd, content, i, 20);
    }
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b04_laterReadsGetTheCause() throws Exception {
    gcs.put(100);
    Gate held = gcs.gate();
    gcs.server()
        .onStream(
            1, StreamScript.builder().ranges(RangeScript.builder().hold(0, held).build()).build());
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> pending = mrd.read(ByteRange.of(0, 10));
    held.awaitReached(SOON);
    gcs.server().perform(1, StreamAction.end(StatusCode.PERMISSION_DENIED, "no access"));
    AccessDeniedException first = failure(AccessDeniedException.class, pending);
    AccessDeniedException later =
        failure(AccessDeniedException.class, mrd.read(ByteRange.of(50, 10)));
    for (AccessDeniedException each : List.of(first, later)) {
      assertEquals(StatusCode.PERMISSION_DENIED, each.status());
      assertTrue(each.getMessage().contains("no access"), each::getMessage);
    }
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b04_idleSessionKeepsTheCause() throws Exception {
    gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    gcs.server().perform(1, StreamAction.end(StatusCode.PERMISSION_DENIED, "no access"));
    gcs.server().awaitNoOpenStreams(SOON);
    AccessDeniedException later =
        failure(AccessDeniedException.class, mrd.read(ByteRange.of(50, 10)));
    assertTrue(later.getMessage().contains("no access"), later::getMessage);
  }

  @Test
  void b07_manySubmittersBreaksAndACloseDeadlockNobody() throws Exception {
    long seed = 7;
    ObjectContent content = gcs.put(1 << 16);
    Random random = new Random(seed);
    for (int stream = 1; stream <= 200; stream++) {
      gcs.server()
          .onStream(
              stream,
              StreamScript.at(
                  When.sent(1 + random.nextInt(4_000)), StreamAction.end(StatusCode.UNAVAILABLE)));
    }
    MultiRangeDownloader mrd = gcs.open();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    AtomicInteger outcomes = new AtomicInteger();
    List<CompletableFuture<byte[]>> all = new ArrayList<>();
    try {
      List<Future<List<CompletableFuture<byte[]>>>> submitted =
          IntStream.range(0, 16)
              .mapToObj(thread -> threads.submit(() -> submitMany(mrd, thread, outcomes)))
              .toList();
      for (Future<List<CompletableFuture<byte[]>>> each : submitted) {
        all.addAll(each.get(30, TimeUnit.SECONDS));
      }
      all.stream().limit(100).forEach(GcsMrdFixture::get);
      get(mrd.closeAsync());
    } finally {
      threads.shutdownNow();
    }
    for (int i = 0; i < all.size(); i++) {
      int offset = i % 100 * 100;
      CompletableFuture<byte[]> each = all.get(i).orTimeout(10, TimeUnit.SECONDS);
      try {
        assertRange(content, offset, 100, each.join());
      } catch (CompletionException e) {
        assertInstanceOf(SessionClosedException.class, e.getCause(), "seed " + seed);
      }
    }
    GcsMrdFixture.await("one outcome for each range", () -> outcomes.get() == all.size());
  }

  private static List<CompletableFuture<byte[]>> submitMany(
      MultiRangeDownloader mrd, int thread, AtomicInteger outcomes) {
    List<CompletableFuture<byte[]>> reads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      CompletableFuture<byte[]> read = mrd.read(ByteRange.of(i * 100L, 100));
      var unused = read.whenComplete((bytes, failure) -> outcomes.incrementAndGet());
      reads.add(read);
    }
    return reads;
  }

  @Test
  void b08_dataStillComesWhileRequestsAreNotRead() throws Exception {
    ObjectContent content = gcs.put(1 << 20);
    Gate reading = gcs.gate();
    Gate older = gcs.gate();
    gcs.server()
        .onStream(1, StreamScript.at(When.rangesReceived(2), StreamAction.stopReading(reading)))
        .onRange(RangeMatch.ordinal(1), RangeScript.builder().hold(10, older).build())
        .onRange(RangeMatch.ordinal(2), RangeScript.builder().hold(10, older).build());
    MultiRangeDownloader mrd = gcs.opened();
    List<CompletableFuture<byte[]>> first =
        List.of(mrd.read(ByteRange.of(0, 100_000)), mrd.read(ByteRange.of(500_000, 100_000)));
    older.awaitReached(SOON);
    List<RangeRequest> requests = new ArrayList<>();
    ByteBuffer all = ByteBuffer.allocate(5_000 * 10);
    for (int i = 0; i < 5_000; i++) {
      requests.add(RangeRequest.into(all.slice(i * 10, 10), ByteRange.of(i * 10L, 10)));
    }
    Download many = mrd.downloadRanges(requests);
    older.open();
    assertRange(content, 0, 100_000, get(first.get(0)));
    assertRange(content, 500_000, 100_000, get(first.get(1)));
    assertFalse(many.isDone());
    reading.open();
    get(many);
    assertRange(content, 0, 50_000, all);
  }

  @Test
  void b09_failedOpenFailsWhoeverWaits() {
    Gate open = gcs.gate();
    gcs.server().onStream(1, StreamScript.at(When.called(), StreamAction.hold(open)));
    MultiRangeDownloader mrd = gcs.open();
    List<CompletableFuture<byte[]>> reads =
        IntStream.range(0, 3).mapToObj(i -> mrd.read(ByteRange.of(i * 10L, 10))).toList();
    open.open();
    for (CompletableFuture<byte[]> read : reads) {
      ObjectNotFoundException e = failure(ObjectNotFoundException.class, read);
      assertTrue(e.getMessage().contains("gs://bucket/object"), e::getMessage);
    }
    failure(ObjectNotFoundException.class, mrd.opened());
  }

  @Test
  void b12_wrongRangeIsToldThroughItsFutureAlone() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    ByteBuffer first = ByteBuffer.allocate(10);
    ByteBuffer second = ByteBuffer.allocate(10);
    ByteBuffer third = ByteBuffer.allocate(10);
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(first, ByteRange.of(0, 10)),
                RangeRequest.into(second, ByteRange.of(20, 10)),
                RangeRequest.into(third, ByteRange.of(500, 10))));
    DownloadException whole = failure(DownloadException.class, download);
    assertEquals(10, get(download.range(0)).length());
    assertEquals(10, get(download.range(1)).length());
    failure(RangeNotSatisfiableException.class, download.range(2));
    assertInstanceOf(RangeOutcome.Succeeded.class, whole.outcomes().get(1));
    assertInstanceOf(RangeOutcome.Failed.class, whole.outcomes().get(2));
    assertRange(content, 0, 10, first);
    assertRange(content, 20, 10, second);
  }

  @Test
  void b12_refusedCallSendsNothing() {
    gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    List<RangeRequest> requests = new ArrayList<>();
    requests.add(RangeRequest.into(new byte[10], 0, ByteRange.of(0, 10)));
    requests.add(null);
    assertThrows(NullPointerException.class, () -> mrd.downloadRanges(requests));
    get(mrd.read(ByteRange.of(40, 5)));
    assertEquals(
        List.of(40L),
        gcs.server().stream(1).ranges().stream().map(StreamRecord.Range::offset).toList());
  }

  /** Three ranges at 0, 200 (beyond the end of 100 bytes) and 20, asked for together. */
  private Download threeWithABadOne(MultiRangeDownloader mrd, List<ByteBuffer> buffers) {
    for (int i = 0; i < 3; i++) {
      buffers.add(ByteBuffer.allocate(10));
    }
    return mrd.downloadRanges(
        List.of(
            RangeRequest.into(buffers.get(0), ByteRange.of(0, 10)),
            RangeRequest.into(buffers.get(1), ByteRange.of(200, 10)),
            RangeRequest.into(buffers.get(2), ByteRange.of(20, 10))));
  }

  private void assertOnlyTheSecondFails(
      Download download, ObjectContent content, List<ByteBuffer> buffers) {
    RangeNotSatisfiableException e = failure(RangeNotSatisfiableException.class, download.range(1));
    assertEquals(StatusCode.OUT_OF_RANGE, e.status());
    assertEquals(ByteRange.of(200, 10), e.context().range().orElseThrow());
    get(download.range(0));
    get(download.range(2));
    assertRange(content, 0, 10, buffers.get(0));
    assertRange(content, 20, 10, buffers.get(2));
    long asked =
        gcs.server().streams().stream()
            .flatMap(stream -> stream.ranges().stream())
            .filter(range -> range.offset() == 200)
            .count();
    assertEquals(1, asked);
  }

  @Test
  void b14_failsOnlyTheBadRange() {
    ObjectContent content = gcs.put(100);
    List<ByteBuffer> buffers = new ArrayList<>();
    assertOnlyTheSecondFails(threeWithABadOne(gcs.opened(), buffers), content, buffers);
    assertEquals(2, gcs.server().streams().size());
    assertEquals(2, gcs.server().stream(2).ranges().size());
  }

  @Test
  void b14_okEntriesOfTheDetailFailNobody() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .rangeErrors(RangeErrorListing.allPending(StatusCode.OK))
                .build());
    List<ByteBuffer> buffers = new ArrayList<>();
    assertOnlyTheSecondFails(threeWithABadOne(gcs.opened(), buffers), content, buffers);
  }

  @Test
  void b14_retryableEntriesOfTheDetailAreAskedForAgain() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .rangeErrors(RangeErrorListing.allPending(StatusCode.ABORTED))
                .build());
    List<ByteBuffer> buffers = new ArrayList<>();
    assertOnlyTheSecondFails(threeWithABadOne(gcs.opened(), buffers), content, buffers);
  }

  @Test
  void b14_ignoresEntriesOfFinishedRanges() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 60, 5);
    long finished = gcs.server().stream(1).ranges().get(0).readId();
    gcs.server()
        .onRange(
            RangeMatch.offset(0).once(),
            RangeScript.builder()
                .at(
                    4,
                    StreamAction.end(
                        StatusCode.OUT_OF_RANGE,
                        "",
                        StatusDetails.rangeErrors(
                            new RangeError(finished, StatusCode.OUT_OF_RANGE, "done already"))))
                .build());
    gcs.assertReads(mrd, content, 0, 10);
  }

  @Test
  void b14_namingNobodyThatIsPendingIsBounded() {
    gcs.put(100);
    StatusDetails wrong =
        StatusDetails.rangeErrors(new RangeError(12_345, StatusCode.OUT_OF_RANGE, "who?"));
    gcs.server()
        .onEveryStream(
            StreamScript.at(
                When.rangesReceived(1), StreamAction.end(StatusCode.OUT_OF_RANGE, "", wrong)));
    RangeException e = failure(RangeException.class, gcs.open().read(ByteRange.of(0, 10)));
    assertEquals(StatusCode.OUT_OF_RANGE, e.status());
    assertTrue(gcs.server().streams().size() <= 5, () -> gcs.server().streams().toString());
  }

  @Test
  void b14_severalBadRangesInOneError() {
    ObjectContent content = gcs.put(100);
    Gate together = gcs.gate();
    gcs.server().onStream(1, StreamScript.at(When.answered(), StreamAction.hold(together)));
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> bad1 = mrd.read(ByteRange.of(10, 10));
    CompletableFuture<byte[]> bad2 = mrd.read(ByteRange.of(20, 10));
    CompletableFuture<byte[]> good = mrd.read(ByteRange.of(30, 10));
    List<StreamRecord.Range> asked = awaitRanges(1, 3);
    gcs.server()
        .perform(
            1,
            StreamAction.end(
                StatusCode.OUT_OF_RANGE,
                "",
                StatusDetails.rangeErrors(
                    new RangeError(asked.get(0).readId(), StatusCode.OUT_OF_RANGE, "one"),
                    new RangeError(asked.get(1).readId(), StatusCode.INVALID_ARGUMENT, "two"))));
    failure(RangeNotSatisfiableException.class, bad1);
    Throwable second = failure(RangeException.class, bad2);
    assertTrue(second.getMessage().contains("two"), second::getMessage);
    assertRange(content, 30, 10, get(good));
    assertEquals(2, gcs.server().streams().size());
  }

  private List<StreamRecord.Range> awaitRanges(int stream, int count) {
    try {
      return gcs.server()
          .awaitStream(stream, count + " ranges", s -> s.ranges().size() >= count, SOON)
          .ranges();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b14_undecodableDetailsAreTrackedDownOneByOne(boolean garbage) {
    ObjectContent content = gcs.put(100);
    StatusDetails details =
        garbage ? StatusDetails.raw(new byte[] {(byte) 0xFF, 1, 2}) : StatusDetails.none();
    gcs.server()
        .onEveryStream(
            StreamScript.builder().rangeErrors(RangeErrorListing.fixed(details)).build());
    MultiRangeDownloader mrd = gcs.opened();
    List<ByteBuffer> buffers = new ArrayList<>();
    Download download = threeWithABadOne(mrd, buffers);
    failure(RangeNotSatisfiableException.class, download.range(1));
    get(download.range(0));
    get(download.range(2));
    assertRange(content, 0, 10, buffers.get(0));
    assertRange(content, 20, 10, buffers.get(2));
    gcs.assertReads(mrd, content, 90, 10);
  }

  @Test
  void rule01_lostRangeEndAsksForNothing() throws Exception {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .ranges(RangeScript.builder().rangeEnd(RangeEnd.MISSING).build())
                .at(When.sent(10), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 5, 10);
    gcs.server().awaitNoOpenStreams(SOON);
    gcs.assertReads(mrd, content, 50, 10);
    assertEquals(1, gcs.server().stream(2).ranges().size());
  }

  @Test
  void rule02_emptyRangeSucceedsAndSendsNothing() {
    gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    assertEquals(0, get(mrd.read(ByteRange.of(10, 0))).length);
    assertEquals(0, get(mrd.read(ByteRange.last(0))).length);
    assertEquals(0, get(mrd.read(ByteRange.of(10_000, 0))).length);
    get(mrd.read(ByteRange.of(40, 5)));
    assertEquals(1, gcs.server().stream(1).ranges().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATE", "LATE_WITHOUT_DATA"})
  void rule05_rangeEndWithoutData(RangeEnd rangeEnd) {
    ObjectContent content = gcs.put(100);
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().rangeEnd(rangeEnd).build());
    MultiRangeDownloader mrd = gcs.opened();
    assertRange(content, 40, 60, get(mrd.read(ByteRange.from(40))));
    assertRange(content, 90, 10, get(mrd.read(ByteRange.last(10))));
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void rule10_finishedRangeIsNotSentAgain() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(
            1, StreamScript.at(When.rangesFinished(1), StreamAction.end(StatusCode.UNAVAILABLE)));
    MultiRangeDownloader mrd = gcs.opened();
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(new byte[10], 0, ByteRange.of(0, 10)),
                RangeRequest.into(new byte[50], 0, ByteRange.of(50, 50))));
    List<RangeResult> results = get(download);
    assertEquals(50, results.get(1).length());
    assertEquals(
        List.of(50L),
        gcs.server().stream(2).ranges().stream().map(StreamRecord.Range::offset).toList());
    gcs.assertReads(mrd, content, 0, 1);
  }

  @Test
  void rule13_nothingLeftMeansNoReopen() throws Exception {
    gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    failure(RangeNotSatisfiableException.class, mrd.read(ByteRange.of(200, 10)));
    gcs.server().awaitNoOpenStreams(SOON);
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void rule13_unansweredOpenIsLeftToDo() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.open();
    CompletableFuture<byte[]> bad = mrd.read(ByteRange.of(200, 10));
    failure(RangeNotSatisfiableException.class, bad);
    assertEquals(100, get(mrd.opened()).sizeBytes().orElseThrow());
    gcs.assertReads(mrd, content, 0, 10);
  }

  @Test
  void callTimeoutFailsItsRangesAndNothingElse() {
    ObjectContent content = gcs.put(100);
    Gate never = gcs.gate();
    gcs.server().onRange(RangeMatch.offset(0), RangeScript.builder().hold(5, never).build());
    MultiRangeDownloader mrd = gcs.opened();
    Download limited =
        mrd.downloadRanges(
            List.of(RangeRequest.into(new byte[10], 0, ByteRange.of(0, 10))),
            DownloadOptions.builder().timeout(Duration.ofMillis(50)).build());
    RangeTimeoutException e = failure(RangeTimeoutException.class, limited.range(0));
    assertEquals(5, e.context().bytesDelivered());
    gcs.assertReads(mrd, content, 20, 10);
    assertEquals(1, gcs.server().streams().size());
  }
}
