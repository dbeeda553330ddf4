// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptionsBuilder;
import io.github.gcsmrd.MultiRangeDownloader;
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
    MrdOptionsBuilder options = GcsMrdFixture.options();
    return client.createMrd(
        GcsMrdFixture.BUCKET,
        GcsMrdFixture.OBJECT,
        options.openTimeout(SHORT).stallTimeout(stallTimeout).build());
  }

  private void assertReads(MultiRangeDownloader mrd, int offset) {
    byte[] read = GcsMrdFixture.get(mrd.read(ByteRange.of(offset, 10)));
    GcsMrdFixture.assertRange(content, offset, 10, read);
  }

  @Test
  void b45_anOpenStreamMovesToAnotherConnection() {
    try (MultiRangeDownloader mrd = open(SHORT)) {
      assertReads(mrd, 0);
      relay.kill(1);
      assertReads(mrd, 10);
      assertEquals(2, relay.accepted());
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
      assertEquals(2, relay.accepted());
    }
  }

  /** gRPC would wait for the server's settings for ever. */
  @Test
  void b45_aConnectionThatNeverSaidAnythingIsReplaced() {
    relay.kill(1);
    relay.kill(2);
    try (MultiRangeDownloader mrd = open(SHORT)) {
      assertReads(mrd, 0);
      assertEquals(3, relay.accepted());
    }
  }

  /** Each notices by itself; the second finds the connection replaced already. */
  @Test
  void b45_allSessionsOfAConnectionGoOnWithOneNewOne() {
    try (MultiRangeDownloader first = open(SHORT);
        MultiRangeDownloader second = open(SHORT.multipliedBy(3))) {
      assertReads(first, 0);
      assertReads(second, 0);
      relay.kill(1);
      CompletableFuture<byte[]> behind = second.read(ByteRange.of(20, 10));
      assertReads(first, 10);
      GcsMrdFixture.assertRange(content, 20, 10, GcsMrdFixture.get(behind));
      assertReads(first, 30);
      assertEquals(2, relay.accepted());
    }
  }

  /** What the neighbour gets shows that the connection lives. */
  @Test
  void oneSilentStreamCostsNoLiveConnection() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(RangeMatch.offset(700).once(), RangeScript.builder().hold(0, gate).build());
    try (MultiRangeDownloader stuck = open(SHORT);
        MultiRangeDownloader lively = open(SHORT)) {
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
      assertEquals(2, relay.accepted());
      assertEquals(3, server.streams().size());
    } finally {
      gate.open();
    }
  }
}
