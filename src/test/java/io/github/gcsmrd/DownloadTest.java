// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.stream.SessionFixture;
import io.github.gcsmrd.internal.stream.TestObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DownloadTest {
  private final TestObject object = new TestObject(100, true, 3);
  private final SessionFixture fixture = SessionFixture.open(object);

  private Download submit(ByteRange... ranges) {
    Download download = new Download(fixture.session, "bucket", "object", List.of(ranges));
    List<RangeRead> reads = new ArrayList<>();
    for (int i = 0; i < ranges.length; i++) {
      RangeRead read =
          new RangeRead(ranges[i], new GrowingDestination(10), download.future(i), true);
      download.future(i).readBy(List.of(read));
      reads.add(read);
    }
    fixture.session.submit(new ReadCall(reads, ReadCall.NO_TIMEOUT));
    fixture.settle();
    return download;
  }

  private void answer(int range) {
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(range))));
    fixture.settle();
  }

  private static DownloadException failure(Download download) {
    return assertInstanceOf(
        DownloadException.class,
        assertThrows(CompletionException.class, download::join).getCause());
  }

  @Test
  void resultsComeInTheOrderAsked() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    answer(1);
    assertTrue(download.range(1).isDone());
    assertFalse(download.isDone());
    answer(0);
    List<RangeResult> results = download.join();
    assertEquals(10, results.get(0).length());
    assertEquals(20, results.get(1).offset());
    assertTrue(download.quiesced().isDone());
    assertThrows(IndexOutOfBoundsException.class, () -> download.range(2));
    fixture.finish();
  }

  @Test
  void aCallWithoutRangesIsDone() {
    Download download = new Download(fixture.session, "bucket", "object", List.of());
    assertEquals(List.of(), download.join());
    assertTrue(download.quiesced().isDone());
  }

  @Test
  void theFirstFailureIsTheCauseAndEveryOutcomeIsThere() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5), ByteRange.of(30, 5));
    download.range(2).cancel(false);
    fixture.settle();
    answer(0);
    fixture.close();
    DownloadException failure = failure(download);
    assertInstanceOf(CancellationException.class, failure.getCause());
    assertEquals(3, failure.outcomes().size());
    assertInstanceOf(RangeOutcome.Succeeded.class, failure.outcomes().get(0));
    RangeOutcome.Failed closed =
        assertInstanceOf(RangeOutcome.Failed.class, failure.outcomes().get(1));
    assertInstanceOf(SessionClosedException.class, closed.failure());
    assertEquals(ByteRange.of(30, 5), failure.outcomes().get(2).range());
    assertEquals(10, failure.context().bytesDelivered());
    fixture.finish();
  }

  @Test
  void aRangeCompletedFromOutsideIsNoFailure() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    RangeResult given =
        new RangeResult(ByteRange.of(0, 10), 0, 0, false, java.util.Optional.empty());
    assertTrue(download.range(0).complete(given));
    fixture.settle();
    fixture.close();
    DownloadException failure = failure(download);
    assertInstanceOf(SessionClosedException.class, failure.getCause());
    assertSame(given, ((RangeOutcome.Succeeded) failure.outcomes().get(0)).result());
    fixture.finish();
  }

  @Test
  void aRangeCompletedWithNothingDoesNotHangTheCall() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    assertTrue(download.range(0).complete(null));
    fixture.settle();
    answer(1);
    assertTrue(download.isDone());
    DownloadException failure = failure(download);
    assertInstanceOf(RangeOutcome.Failed.class, failure.outcomes().get(0));
    fixture.finish();
  }

  @Test
  void cancellingOneRangeSparesTheOthers() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    CompletableFuture<Void> quiesced = download.quiesced();
    download.range(0).cancel(true);
    assertThrows(CancellationException.class, () -> download.range(0).join());
    answer(0);
    assertFalse(download.range(1).isDone());
    assertFalse(quiesced.isDone());
    answer(1);
    assertEquals(5, download.range(1).join().length());
    assertTrue(quiesced.isDone());
    failure(download);
    fixture.finish();
  }

  @Test
  void cancellingTheCallGivesUpAllOfIt() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    assertFalse(download.quiesced().isDone());
    assertTrue(download.cancel(false));
    assertTrue(download.cancel(false), "as a future says of one that is cancelled");
    assertTrue(download.range(0).isCancelled());
    fixture.settle();
    assertTrue(download.quiesced().isDone());
    assertThrows(CancellationException.class, download::join);
    fixture.finish();
  }

  @Test
  void aTimeLimitOfTheFutureGivesUpAllOfItToo() throws Exception {
    Download download = submit(ByteRange.of(0, 10));
    download.orTimeout(1, TimeUnit.MILLISECONDS);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> download.get(30, TimeUnit.SECONDS));
    assertInstanceOf(TimeoutException.class, failure.getCause());
    // The thread that completed it goes on to its ranges.
    assertThrows(CancellationException.class, () -> download.range(0).get(30, TimeUnit.SECONDS));
  }

  @Test
  void completingItAsynchronouslyGivesUpTheRestOnceItCompletes() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    List<Runnable> tasks = new ArrayList<>();
    assertSame(download, download.completeAsync(List::of, tasks::add));
    assertFalse(download.range(0).isDone());
    tasks.forEach(Runnable::run);
    assertTrue(download.isDone());
    assertTrue(download.range(0).isCancelled());
    fixture.settle();
    assertTrue(download.quiesced().isDone());
    fixture.finish();
  }

  @Test
  void whatAsynchronousCompletionThrowsGivesUpTheRestToo() {
    Download download = submit(ByteRange.of(0, 10));
    IllegalStateException mine = new IllegalStateException("mine");
    download.completeAsync(
        () -> {
          throw mine;
        },
        Runnable::run);
    assertSame(mine, assertThrows(CompletionException.class, download::join).getCause());
    assertTrue(download.range(0).isCancelled());
    fixture.settle();
    fixture.finish();
  }

  @Test
  void asynchronousCompletionOfWhatHasEndedAsksNobody() {
    Download download = submit(ByteRange.of(0, 10));
    answer(0);
    List<RangeResult> results = download.join();
    download.completeAsync(() -> fail("the supplier was asked"), Runnable::run);
    download.range(0).completeAsync(() -> fail("the supplier was asked"), Runnable::run);
    assertSame(results, download.join());
    fixture.finish();
  }

  @Test
  void completingARangeAsynchronouslyGivesItUp() {
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    RangeResult given =
        new RangeResult(ByteRange.of(0, 10), 0, 0, false, java.util.Optional.empty());
    download.range(0).completeAsync(() -> given, Runnable::run);
    fixture.settle();
    answer(1);
    assertTrue(download.quiesced().isDone(), "the range is still being read");
    assertSame(given, download.getNow(List.of()).get(0));
    fixture.finish();
  }

  @Test
  void nobodyChangesAnOutcomeThatIsTold() {
    Download download = submit(ByteRange.of(0, 10));
    CompletableFuture<byte[]> array = ArrayFuture.of(download.future(0));
    for (CompletableFuture<?> future : List.of(download, download.range(0), array)) {
      assertThrows(UnsupportedOperationException.class, () -> future.obtrudeValue(null));
      assertThrows(
          UnsupportedOperationException.class, () -> future.obtrudeException(new Exception()));
      assertFalse(future.isDone());
    }
    answer(0);
    assertEquals(1, download.join().size());
    fixture.finish();
  }

  @Test
  void aMessageSaysTheFactsOnce() {
    Download cancelled = submit(ByteRange.of(0, 10));
    cancelled.range(0).cancel(false);
    fixture.settle();
    String other = failure(cancelled).getMessage();
    assertTrue(other.contains("CancellationException"), other);
    assertEquals(1, other.split("gs://bucket/object", -1).length - 1, other);
    Download download = submit(ByteRange.of(0, 10), ByteRange.of(20, 5));
    fixture.close();
    String message = failure(download).getMessage();
    assertEquals(message.indexOf("gs://"), message.lastIndexOf("gs://"), message);
    assertTrue(message.startsWith("2 of 2 ranges failed, first: "), message);
    assertTrue(message.contains("range [0, 10)"), message);
    fixture.finish();
  }

  @Test
  void nothingCompletesItWithoutAFailureAndItGoesOn() {
    Download download = submit(ByteRange.of(0, 10));
    CompletableFuture<byte[]> array = ArrayFuture.of(download.future(0));
    for (CompletableFuture<?> future : List.of(download, download.range(0), array)) {
      assertNamesNull("failure", () -> future.completeExceptionally(null));
      assertNamesNull("supplier", () -> future.completeAsync(null));
      assertNamesNull("supplier", () -> future.completeAsync(null, Runnable::run));
      assertNamesNull("executor", () -> future.completeAsync(() -> null, null));
      assertThrows(NullPointerException.class, () -> future.orTimeout(1, null));
      assertThrows(NullPointerException.class, () -> future.completeOnTimeout(null, 1, null));
      assertFalse(future.isDone());
    }
    answer(0);
    assertEquals(10, download.range(0).getNow(null).length());
    assertEquals(1, download.getNow(List.of()).size());
    assertArrayEquals(object.bytes(0, 10), array.getNow(null));
    fixture.finish();
  }

  private static void assertNamesNull(String argument, Executable call) {
    assertEquals(argument, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void stagesMadeOfItAreTheCallersOwn() {
    Download download = submit(ByteRange.of(0, 10));
    CompletableFuture<Integer> stage = download.thenApply(List::size);
    stage.cancel(false);
    download.range(0).thenApply(RangeResult::length).cancel(false);
    download.quiesced().cancel(false);
    answer(0);
    assertEquals(1, download.join().size());
    assertTrue(download.quiesced().isDone());
    fixture.finish();
  }

  @Test
  void anArrayIsTheRangesOwn() {
    Download download = submit(ByteRange.of(5, 10), ByteRange.of(0, 10));
    CompletableFuture<byte[]> array = ArrayFuture.of(download.future(0));
    CompletableFuture<byte[]> dropped = ArrayFuture.of(download.future(1));
    dropped.cancel(false);
    assertTrue(download.range(1).isCancelled());
    answer(0);
    assertArrayEquals(object.bytes(5, 15), array.join());
    fixture.finish();
  }
}
