// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static io.github.gcsmrd.interleavings.Interleavings.explore;
import static io.github.gcsmrd.interleavings.Interleavings.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.interleavings.CountingSession;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A download whose ranges end on the session's side as the user gives them up. */
@Tag("interleavings")
class DownloadInterleavingsTest {
  private static final ByteRange RANGE = ByteRange.of(0, 10);
  private static final IllegalStateException FAILURE = new IllegalStateException("of the sink");

  private static Download download(CountingSession session, int ranges) {
    List<ByteRange> asked = ranges == 1 ? List.of(RANGE) : List.of(RANGE, RANGE);
    Download download = new Download(session, "bucket", "object", asked);
    for (int i = 0; i < ranges; i++) {
      RangeFuture future = download.future(i);
      future.readBy(List.of(new RangeRead(RANGE, new GrowingDestination(10), future, true)));
    }
    return download;
  }

  /** What the session does as the last byte of a range is delivered; returns what it decided. */
  private static boolean deliver(RangeFuture future) {
    boolean claimed = future.claim();
    if (claimed) {
      future.succeed(null);
      future.ended();
    }
    future.quiet();
    return claimed;
  }

  /** The range ends without an outcome of the session's own, as a range that was given up does. */
  private static void endGivenUp(RangeFuture future) {
    future.ended();
  }

  /**
   * A claims the success; B cancels and is told true; A completes: the user has cancelled a range
   * that succeeds. Whoever decides first decides alone.
   */
  @Test
  void aRangeIsCancelledOrSucceedsNeverBoth() {
    explore(
        () -> {
          CountingSession session = new CountingSession();
          Download download = download(session, 1);
          RangeFuture future = download.future(0);
          boolean[] claimed = new boolean[1];
          boolean[] cancelled = new boolean[1];
          together(() -> claimed[0] = deliver(future), () -> cancelled[0] = future.cancel(false));
          assertTrue(claimed[0] != cancelled[0], "both decided, or nobody");
          assertTrue(future.isDone());
          assertEquals(cancelled[0], future.isCancelled());
          assertTrue(download.quiesced().isDone());
          if (cancelled[0]) {
            assertEquals(1, session.abandoned.get());
            endGivenUp(future);
          }
          assertTrue(download.isDone());
        });
  }

  /** The same as the session fails the range. */
  @Test
  void aRangeIsCancelledOrFailsNeverBoth() {
    explore(
        () -> {
          CountingSession session = new CountingSession();
          Download download = download(session, 1);
          RangeFuture future = download.future(0);
          boolean[] cancelled = new boolean[1];
          together(
              () -> {
                future.fail(FAILURE);
                future.ended();
                future.quiet();
              },
              () -> cancelled[0] = future.cancel(false));
          assertEquals(cancelled[0], future.isCancelled());
          Throwable cause = download.handle((results, failure) -> failure.getCause()).join();
          assertEquals(cancelled[0], cause != FAILURE, "the download tells of the other");
          assertTrue(download.quiesced().isDone());
        });
  }

  /** A and B both see one range left, or none: the download never ends, or ends twice. */
  @Test
  void theLastOfTwoRangesEndsTheDownload() {
    explore(
        () -> {
          Download download = download(new CountingSession(), 2);
          together(
              () -> deliver(download.future(0)),
              () -> {
                RangeFuture failing = download.future(1);
                failing.fail(FAILURE);
                failing.ended();
                failing.quiet();
              });
          assertTrue(download.isCompletedExceptionally());
          assertTrue(download.quiesced().isDone());
        });
  }

  /** The client's loop goes between the cancel's decision and its word to the session. */
  @Test
  void aCancelAsTheClientClosesIsNotRefused() {
    explore(
        () -> {
          CountingSession session = new CountingSession();
          Download download = download(session, 1);
          together(() -> download.range(0).cancel(false), () -> session.close("by the user"));
          assertTrue(download.range(0).isCancelled());
        });
  }
}
