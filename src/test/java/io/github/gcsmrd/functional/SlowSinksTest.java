// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sinks that stand still, or wait for others, and what that does to the rest of the client. */
@Timeout(60)
class SlowSinksTest {

  @Test
  void aSinkThatStandsStillLeavesMemoryForAnotherSession() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(4);
    try (FakeGcs server = FakeGcs.start();
        GcsClient client =
            GcsClient.builder().endpoint(server.endpoint()).sinkMemoryBytes(8 << 20).build()) {
      server.put("bucket", "object", ObjectContent.generated(1, 64 << 20));
      List<RangeRequest> stuck = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        stuck.add(
            RangeRequest.to(
                chunk -> {
                  entered.countDown();
                  go.await();
                },
                ByteRange.all()));
      }
      Download still = client.createMrd("bucket", "object").downloadRanges(stuck);
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      MultiRangeDownloader other = client.createMrd("bucket", "object");
      Download download =
          other.downloadRanges(List.of(RangeRequest.to(c -> {}, ByteRange.of(0, 16 << 20))));
      assertEquals(16L << 20, download.get(30, TimeUnit.SECONDS).get(0).length());
      still.cancel(true);
      go.countDown();
      still.quiesced().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void sinksThatReadThroughSinksEnd() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put("bucket", "object", ObjectContent.generated(1, 64L << 30));
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      List<RangeRequest> outer = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        long offset = (long) i << 28;
        List<RangeRequest> inner =
            List.of(RangeRequest.to(chunk -> {}, ByteRange.of(offset, 4096)));
        outer.add(
            RangeRequest.to(
                chunk -> mrd.downloadRanges(inner).join(), ByteRange.of(offset, 4 << 20)));
      }
      assertEquals(64, mrd.downloadRanges(outer).get(50, TimeUnit.SECONDS).size());
    }
  }

  @Test
  void aSinkThatStandsStillInALongTailIsSentNoMoreThanItsCredit() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put("bucket", "object", ObjectContent.generated(7, 1L << 30));
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      Download download =
          mrd.downloadRanges(
              List.of(
                  RangeRequest.to(
                      chunk -> {
                        entered.countDown();
                        go.await();
                      },
                      ByteRange.last(600L << 20))));
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      // A later range on the same stream is answered, and nothing else was asked for till then.
      mrd.read(ByteRange.of(0, 10)).get(20, TimeUnit.SECONDS);
      List<StreamRecord.Range> asked = server.stream(1).ranges();
      assertEquals(
          List.of(-1L, (1L << 30) - (600L << 20), 0L),
          asked.stream().map(StreamRecord.Range::offset).toList());
      assertEquals(8L << 20, asked.get(1).length());
      download.cancel(true);
      go.countDown();
    }
  }
}
