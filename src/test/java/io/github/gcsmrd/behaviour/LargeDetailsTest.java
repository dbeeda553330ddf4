// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeNotSatisfiableException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeErrorListing;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Details of an error that are larger than what the client takes, 4 MiB by default. */
@Timeout(60)
class LargeDetailsTest {
  private static final int RANGES = 64;
  private static final int CULPRIT = 3;

  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  /** Each range that is listed has a text so long that the limit lies between 16 and 32 of them. */
  private void longTexts() {
    String text = "why this range is fine ".repeat(6_000);
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .rangeErrors(RangeErrorListing.allPending(StatusCode.OK, text))
                .build());
  }

  private static List<RangeRequest> requests(byte[][] into) {
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < RANGES; i++) {
      long offset = i == CULPRIT ? 1L << 40 : i * 10L;
      requests.add(RangeRequest.into(into[i], 0, ByteRange.of(offset, 10)));
    }
    return requests;
  }

  private static List<Integer> asked(List<StreamRecord> streams) {
    return streams.stream().map(stream -> stream.ranges().size()).toList();
  }

  @Test
  void areMetByAskingForHalves() {
    ObjectContent content = gcs.put(1_000);
    longTexts();
    MultiRangeDownloader mrd = gcs.opened();
    byte[][] into = new byte[RANGES][10];
    var download = mrd.downloadRanges(requests(into));
    failure(RangeNotSatisfiableException.class, download.range(CULPRIT));
    for (int i = 0; i < RANGES; i++) {
      if (i != CULPRIT) {
        get(download.range(i));
        assertRange(content, i * 10L, 10, into[i]);
      }
    }
    List<Integer> asked = asked(gcs.server().streams());
    assertEquals(List.of(RANGES, RANGES / 2, RANGES / 4), asked.subList(0, 3));
    gcs.assertReads(mrd, content, 5, 20);
  }

  @Test
  void areTakenAtOnceBelowTheLimit() {
    ObjectContent content = gcs.put(1_000);
    // A hundred times what gRPC would take by itself.
    String text = "x".repeat(800_000 / RANGES);
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .rangeErrors(RangeErrorListing.allPending(StatusCode.OK, text))
                .build());
    byte[][] into = new byte[RANGES][10];
    var download = gcs.opened().downloadRanges(requests(into));
    failure(RangeNotSatisfiableException.class, download.range(CULPRIT));
    for (int i = 0; i < RANGES; i++) {
      if (i != CULPRIT) {
        get(download.range(i));
        assertRange(content, i * 10L, 10, into[i]);
      }
    }
    assertEquals(2, gcs.server().streams().size());
    assertEquals(1, gcs.server().connections());
  }

  /** Such details end the whole connection: the sessions beside it go on with another. */
  @Test
  void costOtherSessionsNothingButAReopen() throws Exception {
    ObjectContent content = gcs.put(1_000);
    Gate gate = gcs.gate();
    gcs.server()
        .onRange(RangeMatch.offset(700).once(), RangeScript.builder().hold(5, gate).build());
    longTexts();
    MultiRangeDownloader neighbour = gcs.opened();
    CompletableFuture<byte[]> held = neighbour.read(ByteRange.of(700, 20));
    gate.awaitReached(GcsMrdFixture.SOON);
    var download = gcs.opened().downloadRanges(requests(new byte[RANGES][10]));
    failure(RangeNotSatisfiableException.class, download.range(CULPRIT));
    assertRange(content, 700, 20, get(held));
    assertTrue(gcs.server().connections() > 1, "the connection was not the same to the end");
  }
}
