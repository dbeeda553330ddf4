// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that die without a FIN or a RST: only silence tells. */
@Timeout(60)
class DeadConnectionsTest {
  private static final Duration SHORT = Duration.ofMillis(500);

  private final ObjectContent content = ObjectContent.generated(1, 1_000);
  private FakeGcs server;
  private Relay relay;
  private GcsClient client;

  @BeforeEach
  void connect() throws IOException {
    server = FakeGcs.builder().start();
    server.put(GcsMrdFixture.BUCKET, GcsMrdFixture.OBJECT, content);
    relay = new Relay(server.port());
    client = GcsClient.builder().noCredentials().endpoint(relay.endpoint()).build();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    assertEquals(0, client.pinnedBytes());
    relay.close();
    server.close();
  }

  private MultiRangeDownloader open(Duration stallTimeout) {
    // On a slow machine, an attempt that nothing is wrong with can be over such short limits.
    RetryPolicy patient = GcsMrdFixture.retries().maxAttempts(50).build();
    return client.createMrd(
        GcsMrdFixture.BUCKET,
        GcsMrdFixture.OBJECT,
        MrdOptions.builder()
            .retryPolicy(patient)
            .openTimeout(SHORT)
            .stallTimeout(stallTimeout)
            .build());
  }

  private void assertReads(MultiRangeDownloader mrd, int offset) {
    byte[] read = GcsMrdFixture.get(mrd.read(ByteRange.of(offset, 10)));
    GcsMrdFixture.assertRange(content, offset, 10, read);
  }

  /** More than once if the machine is so slow that a healthy connection is too. */
  private void assertReplaced() {
    assertTrue(relay.accepted() >= 2, relay.accepted() + " connections");
  }

  @Test
  void b45_anOpenStreamMovesToAnotherConnection() {
    try (MultiRangeDownloader mrd = open(SHORT)) {
      assertReads(mrd, 0);
      relay.kill(1);
      assertReads(mrd, 10);
      assertReplaced();
    }
  }

  @Test
  void b45_aSessionThatIsOpenedLaterGetsAnotherConnection() {
    try (MultiRangeDownloader mrd = open(SHORT)) {
      assertReads(mrd, 0);
    }
    relay.kill(1);
    try (MultiRangeDownloader mrd = open(SHORT)) {
      assertReads(mrd, 10);
      assertReplaced();
    }
  }

  /** gRPC would wait for the server's settings for ever. */
  @Test
  void b45_aConnectionThatNeverSaidAnythingIsReplaced() {
    relay.kill(1);
    relay.kill(2);
    try (MultiRangeDownloader mrd = open(SHORT)) {
      assertReads(mrd, 0);
      assertTrue(relay.accepted() >= 3, relay.accepted() + " connections");
    }
  }

  /** Each notices by itself. */
  @Test
  void b45_allSessionsOfAConnectionGoOn() {
    try (MultiRangeDownloader first = open(SHORT);
        MultiRangeDownloader second = open(SHORT.multipliedBy(3))) {
      assertReads(first, 0);
      assertReads(second, 0);
      relay.kill(1);
      CompletableFuture<byte[]> behind = second.read(ByteRange.of(20, 10));
      assertReads(first, 10);
      GcsMrdFixture.assertRange(content, 20, 10, GcsMrdFixture.get(behind));
      assertReads(first, 30);
      assertReplaced();
    }
  }

  /** What the neighbour gets shows that the connection lives. */
  @Test
  void oneSilentStreamCostsNoLiveConnection() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(RangeMatch.offset(700).once(), RangeScript.builder().hold(0, gate).build());
    Duration longer = SHORT.multipliedBy(4);
    try (MultiRangeDownloader stuck = open(longer);
        MultiRangeDownloader lively = open(longer)) {
      assertReads(stuck, 0);
      assertReads(lively, 0);
      CompletableFuture<byte[]> held = stuck.read(ByteRange.of(700, 10));
      while (!held.isDone()) {
        assertReads(lively, 10);
      }
      GcsMrdFixture.assertRange(content, 700, 10, held.get());
      assertEquals(3, server.streams().size());
      assertEquals(1, relay.accepted());
    } finally {
      gate.open();
    }
  }

  /** A stream alone may be silent though its connection lives: both go on. */
  @Test
  void anIdleNeighbourOfAConnectionGivenUpInErrorLosesNothing() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(RangeMatch.offset(700).once(), RangeScript.builder().hold(0, gate).build());
    try (MultiRangeDownloader idle = open(SHORT);
        MultiRangeDownloader stuck = open(SHORT)) {
      assertReads(idle, 0);
      assertReads(stuck, 700);
      assertReads(idle, 10);
      assertReplaced();
    } finally {
      gate.open();
    }
  }
}
