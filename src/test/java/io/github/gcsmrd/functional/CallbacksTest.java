// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks that wait for futures of the same download: whatever order they come in, all end. */
@Timeout(60)
class CallbacksTest {
  private static List<RangeRequest> requests(int count) {
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(RangeRequest.into(ByteBuffer.allocate(100), ByteRange.of(i * 100L, 100)));
    }
    return requests;
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  @Test
  void anOutcomeAndTheQuietAfterItMayWaitForOneAnother() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put("bucket", "object", ObjectContent.generated(7, 1 << 20));
      MultiRangeDownloader mrd = client.createMrd("bucket", "object");
      Download one = mrd.downloadRanges(requests(3));
      assertEquals("reused", get(one.handle((r, e) -> wait(one.quiesced(), "reused"))));
      Download two = mrd.downloadRanges(requests(3));
      assertEquals("reused", get(two.range(0).handle((r, e) -> wait(two.quiesced(), "reused"))));
      Download three = mrd.downloadRanges(requests(3));
      assertEquals("told", get(three.quiesced().handle((r, e) -> wait(three, "told"))));
    }
  }

  private static String wait(CompletableFuture<?> other, String then) {
    other.join();
    return then;
  }

  @Test
  void aCallbackThatWaitsForASiblingWhileTheClientClosesEnds() throws Exception {
    for (int i = 0; i < 10; i++) {
      Gate gate = Gate.closed();
      try (FakeGcs server = FakeGcs.start()) {
        server.put("bucket", "object", ObjectContent.generated(7, 1 << 20));
        server.onStream(1, StreamScript.at(When.opened(), StreamAction.hold(gate)));
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build();
        Download download = client.createMrd("bucket", "object").downloadRanges(requests(3));
        CompletableFuture<?> waiting =
            download
                .range(0)
                .handle((r, e) -> assertThrows(CompletionException.class, download.range(1)::join));
        client.close();
        assertThrows(ExecutionException.class, () -> get(download));
        get(waiting);
        get(download.quiesced());
        gate.open();
      }
    }
  }
}
