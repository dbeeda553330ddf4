// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.RangePublisher;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RangePublisherTest extends FlowFixture {
  @Test
  void unlimitedDemandGetsAllBytesInOrder() throws Exception {
    Probe probe = subscribe(mrd.publisher(WHOLE));
    probe.request(Long.MAX_VALUE);
    assertEquals(OBJECT_BYTES, assertChunks(0, probe.rest()));
  }

  @Test
  void oneAtATimeGetsAllBytesInOrder() throws Exception {
    Probe probe =
        new Probe() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            super.onSubscribe(subscription);
            subscription.request(1);
          }

          @Override
          void onChunk(Chunk chunk) {
            request(1);
          }
        };
    mrd.publisher(ByteRange.from(1000)).subscribe(probe);
    assertEquals(OBJECT_BYTES, assertChunks(1000, probe.rest()));
  }

  @Test
  void nothingIsAskedForBeforeDemand() throws Exception {
    Probe probe = subscribe(mrd.publisher(ByteRange.of(CHUNK_BYTES, CHUNK_BYTES)));
    mrd.read(ByteRange.of(0, 10)).get(20, TimeUnit.SECONDS);
    assertEquals(1, server.stream(1).ranges().size(), () -> server.stream(1).toString());
    probe.request(1);
    assertEquals(2L * CHUNK_BYTES, assertChunks(CHUNK_BYTES, probe.rest()));
  }

  @Test
  void noChunkComesBeyondDemandThoughItHasArrived() throws Exception {
    Probe probe = subscribe(mrd.publisher(WHOLE));
    probe.request(3);
    long at = assertChunks(0, probe.take(3));
    assertNeighbourReads();
    assertEquals(3, probe.received());
    probe.request(2);
    assertChunks(at, probe.take(2));
    assertNeighbourReads();
    assertEquals(5, probe.received());
    assertFalse(probe.isOver());
  }

  @Test
  void theServerSendsNoMoreThanTheCreditAheadOfDemand() throws Exception {
    Probe probe = subscribe(mrd.publisher(WHOLE));
    probe.request(1);
    probe.take(1);
    server.awaitStream(
        1, "the credit sent", r -> r.payloadBytesSent() == CREDIT_BYTES, Duration.ofSeconds(20));
    int chunksOfHalf = (int) (CREDIT_BYTES / 2 / CHUNK_BYTES);
    // One chunk short of half of the credit: nothing more is asked for.
    probe.request(chunksOfHalf - 2);
    probe.take(chunksOfHalf - 2);
    mrd.read(ByteRange.of(0, 10)).get(20, TimeUnit.SECONDS);
    assertEquals(CREDIT_BYTES, askedBytes(0) - 10);
    probe.request(1);
    probe.take(1);
    eventually("half of the credit is asked for", () -> askedBytes(CREDIT_BYTES) > 0);
    assertEquals(CREDIT_BYTES / 2, askedBytes(CREDIT_BYTES));
  }

  @Test
  void cancelInTheMiddleReleasesEverything() throws Exception {
    Probe probe = subscribe(mrd.publisher(WHOLE).views());
    probe.request(5);
    List<Chunk> mine = probe.take(5);
    probe.subscription().cancel();
    probe.subscription().cancel();
    probe.request(100);
    assertNeighbourReads();
    assertTrue(client.pinnedBytes() > 0, "the subscriber's own chunks");
    assertChunks(0, mine);
    mine.forEach(Chunk::close);
    assertNothingPinned();
    assertEquals(5, probe.received());
    assertFalse(probe.isOver());
  }

  @Test
  void cancelInsideOnSubscribeReadsNothing() throws Exception {
    Probe probe =
        new Probe() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            super.onSubscribe(subscription);
            subscription.request(5);
            subscription.cancel();
          }
        };
    mrd.publisher(WHOLE).subscribe(probe);
    mrd.read(ByteRange.of(0, 10)).get(20, TimeUnit.SECONDS);
    assertEquals(1, server.stream(1).ranges().size());
    assertEquals(0, probe.received());
  }

  @Test
  void cancelInsideOnNextIsTheLastSignal() throws Exception {
    Probe probe =
        new Probe() {
          @Override
          void onChunk(Chunk chunk) {
            if (received() == 2) {
              subscription().cancel();
            }
          }
        };
    mrd.publisher(WHOLE).subscribe(probe);
    probe.request(Long.MAX_VALUE);
    assertChunks(0, probe.take(2));
    assertNeighbourReads();
    assertNothingPinned();
    assertEquals(2, probe.received());
    assertFalse(probe.isOver());
  }

  @Test
  void subscribersReadIndependently() throws Exception {
    RangePublisher publisher = mrd.publisher(WHOLE);
    Probe slow = subscribe(publisher);
    Probe fast = subscribe(publisher);
    slow.request(1);
    fast.request(Long.MAX_VALUE);
    assertEquals(OBJECT_BYTES, assertChunks(0, fast.rest()));
    long at = assertChunks(0, slow.take(1));
    assertEquals(1, slow.received());
    slow.request(Long.MAX_VALUE);
    assertEquals(OBJECT_BYTES, assertChunks(at, slow.rest()));
  }

  @Test
  void manySubscribersWithoutDemandHoldUpNobody() throws Exception {
    List<Probe> idle = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Probe probe = subscribe(mrd.publisher(WHOLE));
      probe.request(1);
      idle.add(probe);
    }
    for (Probe probe : idle) {
      probe.take(1);
    }
    assertNeighbourReads();
    assertNothingPinned();
    idle.forEach(probe -> probe.subscription().cancel());
  }

  @Test
  void aSubscriberThatBlocksHoldsUpNobodyAndCompletesAfter() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Probe probe =
        new Probe() {
          @Override
          void onChunk(Chunk chunk) {
            try {
              assertTrue(goOn.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        };
    mrd.publisher(ByteRange.of(0, CHUNK_BYTES)).subscribe(probe);
    probe.request(1);
    probe.take(1);
    assertNeighbourReads();
    assertFalse(probe.isOver());
    goOn.countDown();
    assertEquals(List.of(), probe.rest());
  }

  @Test
  void copiesNeedNoCloseAndOutliveTheClient() throws Exception {
    Probe probe = subscribe(mrd.publisher(ByteRange.of(0, 2 << 20)));
    probe.request(Long.MAX_VALUE);
    List<Chunk> chunks = probe.rest();
    assertNothingPinned();
    client.close();
    assertEquals(2 << 20, assertChunks(0, chunks));
    assertFalse(chunks.get(0).buffers().get(0).isDirect());
  }

  @Test
  void viewsPinTheirMessagesUntilClosed() throws Exception {
    Probe probe = subscribe(mrd.publisher(ByteRange.of(0, 2 << 20)).views());
    probe.request(Long.MAX_VALUE);
    List<Chunk> chunks = probe.rest();
    assertTrue(
        client.pinnedBytes() >= CHUNK_BYTES, () -> client.pinnedBytes() + " bytes are pinned");
    assertEquals(2 << 20, assertChunks(0, chunks));
    assertTrue(chunks.get(0).buffers().get(0).isDirect());
    chunks.forEach(Chunk::close);
    assertNothingPinned();
    assertThrows(IllegalStateException.class, () -> chunks.get(0).buffers());
  }

  @Test
  void aBrokenStreamIsNotNoticed() throws Exception {
    server.onRange(
        RangeMatch.any().once(),
        RangeScript.builder()
            .at(3L * CHUNK_BYTES, StreamAction.end(StatusCode.UNAVAILABLE))
            .build());
    Probe probe = subscribe(mrd.publisher(WHOLE));
    probe.request(Long.MAX_VALUE);
    assertEquals(OBJECT_BYTES, assertChunks(0, probe.rest()));
    assertEquals(2, server.streams().size());
  }

  @Test
  void anEmptyRangeCompletesWithoutDemand() throws Exception {
    assertEquals(List.of(), subscribe(mrd.publisher(ByteRange.of(7, 0))).rest());
  }

  @Test
  void aRangeBeyondTheEndCompletesAtTheEnd() throws Exception {
    Probe probe = subscribe(mrd.publisher(ByteRange.of(OBJECT_BYTES - 10, 100)));
    probe.request(1);
    assertEquals(OBJECT_BYTES, assertChunks(OBJECT_BYTES - 10, probe.rest()));
  }
}
