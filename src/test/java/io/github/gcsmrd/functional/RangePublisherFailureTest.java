// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.DownloadOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.time.Duration;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RangePublisherFailureTest extends FlowFixture {
  @Test
  void aChunkThatStaysCorruptEndsInTheRangesError() throws Exception {
    server.onRange(
        RangeMatch.any(),
        RangeScript.chunk(ChunkMatch.covering(2L * CHUNK_BYTES), ChunkFault.flippedBit()));
    Probe probe = subscribe(mrd.publisher(WHOLE).views());
    probe.request(Long.MAX_VALUE);
    DataCorruptionException failure =
        assertInstanceOf(DataCorruptionException.class, probe.failure());
    assertEquals(2L * CHUNK_BYTES, failure.context().bytesDelivered());
    assertEquals(2, probe.received());
    for (Chunk chunk : probe.take(2)) {
      chunk.close();
    }
    assertNothingPinned();
  }

  @Test
  void anObjectThatIsNotThereIsAnErrorWithoutDemand() throws Exception {
    try (MultiRangeDownloader missing = client.createMrd("bucket", "missing")) {
      Probe probe = subscribe(missing.publisher(WHOLE));
      assertInstanceOf(ObjectNotFoundException.class, probe.failure());
    }
  }

  @Test
  void theCallsTimeLimitHoldsWithoutDemand() throws Exception {
    DownloadOptions limited = DownloadOptions.builder().timeout(Duration.ofMillis(50)).build();
    Probe probe = subscribe(mrd.publisher(WHOLE, limited));
    assertInstanceOf(RangeTimeoutException.class, probe.failure());
  }

  @Test
  void closingTheSessionEndsSubscriptionsWithAndWithoutDemand() throws Exception {
    Probe without = subscribe(mrd.publisher(WHOLE));
    Probe with = subscribe(mrd.publisher(WHOLE).views());
    with.request(2);
    with.take(2).forEach(Chunk::close);
    mrd.close();
    assertInstanceOf(SessionClosedException.class, without.failure());
    assertInstanceOf(SessionClosedException.class, with.failure());
    assertNothingPinned();
  }

  @Test
  void closingTheClientEndsSubscriptions() throws Exception {
    Probe before = subscribe(mrd.publisher(WHOLE));
    client.close();
    assertInstanceOf(SessionClosedException.class, before.failure());
    Probe after = subscribe(mrd.publisher(WHOLE));
    assertInstanceOf(SessionClosedException.class, after.failure());
    after.request(1);
    after.subscription().cancel();
    assertEquals(0, after.received());
  }

  @Test
  void demandOfZeroInsideOnSubscribeIsAnError() throws Exception {
    Probe probe =
        new Probe() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            super.onSubscribe(subscription);
            subscription.request(0);
          }
        };
    mrd.publisher(WHOLE).subscribe(probe);
    assertInstanceOf(IllegalArgumentException.class, probe.failure());
    assertEquals(0, probe.received());
  }

  @Test
  void negativeDemandInTheMiddleIsAnErrorAndReleasesEverything() throws Exception {
    Probe probe = subscribe(mrd.publisher(WHOLE).views());
    probe.request(2);
    probe.take(2).forEach(Chunk::close);
    probe.request(-1);
    assertInstanceOf(IllegalArgumentException.class, probe.failure());
    assertNothingPinned();
    assertNeighbourReads();
    assertEquals(2, probe.received());
  }

  @Test
  void aSubscriberThatThrowsIsCancelled() throws Exception {
    Probe probe =
        new Probe() {
          @Override
          void onChunk(Chunk chunk) {
            throw new IllegalStateException("thrown by a subscriber on purpose");
          }
        };
    mrd.publisher(WHOLE).views().subscribe(probe);
    probe.request(Long.MAX_VALUE);
    Chunk chunk = probe.take(1).get(0);
    assertNeighbourReads();
    assertNothingPinned();
    assertThrows(IllegalStateException.class, chunk::buffers);
    assertEquals(1, probe.received());
    assertFalse(probe.isOver());
  }

  @Test
  void aSubscriberThatThrowsInOnSubscribeReadsNothing() throws Exception {
    Probe probe =
        new Probe() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
            throw new IllegalStateException("thrown by a subscriber on purpose");
          }
        };
    mrd.publisher(WHOLE).subscribe(probe);
    assertNeighbourReads();
    assertEquals(1, server.stream(1).ranges().size());
    assertEquals(0, probe.received());
  }

  @Test
  void noSubscriberIsRefused() {
    assertThrows(NullPointerException.class, () -> mrd.publisher(WHOLE).subscribe(null));
  }
}
