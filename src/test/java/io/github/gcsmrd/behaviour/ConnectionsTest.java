// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.FakeGcsBuilder;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How sessions share connections, and what the server's limit of concurrent streams does. */
class ConnectionsTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  /** Opens sessions that may fail once only, without an attempt to spare. */
  private List<MultiRangeDownloader> open(int sessions) {
    RetryPolicy noRetry = GcsMrdFixture.retries().maxAttempts(1).build();
    List<MultiRangeDownloader> opened = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      opened.add(gcs.open(GcsMrdFixture.options().retryPolicy(noRetry)));
    }
    return opened;
  }

  private void assertAllRead(List<MultiRangeDownloader> sessions, ObjectContent content) {
    for (MultiRangeDownloader mrd : sessions) {
      gcs.assertReads(mrd, content, 100, 500);
    }
  }

  /** How many streams each connection of the server had, by its ordinal. */
  private Map<Integer, Long> streamsByConnection() {
    return gcs.server().streams().stream()
        .collect(
            Collectors.groupingBy(StreamRecord::connection, TreeMap::new, Collectors.counting()));
  }

  private static long clientLoops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("gcs-mrd-loop"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void b93_sessionsAreSpreadOverTheConnections(int eventLoops) throws IOException {
    gcs.connect(GcsClient.builder().noCredentials().connections(4).eventLoops(eventLoops));
    ObjectContent content = gcs.put(1000);
    assertAllRead(open(20), content);
    assertEquals(4, gcs.server().connections());
    assertEquals(Map.of(1, 5L, 2, 5L, 3, 5L, 4, 5L), streamsByConnection());
  }

  @Test
  void b93_eachLoopHasAConnection() throws IOException {
    gcs.connect(GcsClient.builder().noCredentials().eventLoops(3));
    ObjectContent content = gcs.put(1000);
    assertAllRead(open(6), content);
    assertEquals(Map.of(1, 2L, 2, 2L, 3, 2L), streamsByConnection());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sessionsBeyondTheLimitOfAConnectionReadFromAnother(boolean tls) throws IOException {
    FakeGcsBuilder settings = FakeGcs.builder().maxConcurrentStreams(2);
    gcs.serve(tls ? settings.tls() : settings);
    ObjectContent content = gcs.put(1000);
    List<MultiRangeDownloader> sessions = open(5);
    // None is closed meanwhile: whoever waited for another would wait for ever.
    assertAllRead(sessions, content);
    assertEquals(List.of(1L, 2L, 2L), streamsByConnection().values().stream().sorted().toList());
    sessions.get(0).close();
    assertAllRead(open(1), content);
    assertEquals(3, gcs.server().connections());
  }

  @Test
  void sessionsOfSeveralLoopsHeedTheLimitOfEach() throws IOException {
    gcs.serve(FakeGcs.builder().maxConcurrentStreams(3));
    gcs.connect(GcsClient.builder().noCredentials().eventLoops(2).connections(4));
    ObjectContent content = gcs.put(1000);
    assertAllRead(open(20), content);
    Map<Integer, Long> streams = streamsByConnection();
    assertTrue(streams.values().stream().allMatch(count -> count <= 3), streams.toString());
    // Ten sessions a loop need four connections.
    assertEquals(8, gcs.server().connections());
    assertEquals(20, gcs.server().streams().size());
  }

  @Test
  void aHundredSessionsShareAConnectionAndTheNextOneOpensAnother() throws IOException {
    gcs.serve(FakeGcs.builder().maxConcurrentStreams(100));
    ObjectContent content = gcs.put(1000);
    assertAllRead(open(100), content);
    assertEquals(1, gcs.server().connections());
    assertAllRead(open(1), content);
    assertEquals(Map.of(1, 100L, 2, 1L), streamsByConnection());
  }

  @Test
  void aLimitLoweredLaterHoldsForLaterStreams() throws IOException {
    ObjectContent content = gcs.put(1000);
    List<MultiRangeDownloader> sessions = open(3);
    assertAllRead(sessions, content);
    assertTrue(gcs.server().perform(1, StreamAction.limitStreams(3)));
    // The next answers come after the new limit.
    assertAllRead(sessions, content);
    assertAllRead(open(2), content);
    assertEquals(Map.of(1, 3L, 2, 2L), streamsByConnection());
  }

  @Test
  void b91_closeLeavesNoneOfTheConnectionsThatTheLimitMade() throws Exception {
    gcs.serve(FakeGcs.builder().maxConcurrentStreams(1));
    ObjectContent content = gcs.put(1000);
    assertAllRead(open(4), content);
    assertEquals(4, gcs.server().openConnections());
    long before = clientLoops();
    gcs.client().close();
    assertEquals(before - 1, clientLoops());
    GcsMrdFixture.await("end of connections", () -> gcs.server().openConnections() == 0);
  }

  /** The end of a stream makes room for its successor, though HTTP/2 notices it a little later. */
  @Test
  void aReopenAtTheLimitNeedsNoFurtherConnection() throws IOException {
    gcs.serve(FakeGcs.builder().maxConcurrentStreams(1));
    ObjectContent content = gcs.put(1000);
    for (int i = 1; i <= 20; i++) {
      gcs.server().onStream(i, StreamScript.at(When.sent(7 * i), StreamAction.redirect("t" + i)));
    }
    gcs.assertReads(gcs.open(), content, 0, 1000);
    assertEquals(1, gcs.server().connections());
  }

  /** The streams of an ageing connection go on, and later ones find room. */
  @Test
  void streamsAfterAFarewellFindRoomBesideThoseBeforeIt() throws IOException {
    gcs.serve(FakeGcs.builder().maxConcurrentStreams(4));
    ObjectContent content = gcs.put(1000);
    List<MultiRangeDownloader> old = open(2);
    assertAllRead(old, content);
    gcs.server().sendGoAway();
    assertAllRead(old, content);
    assertAllRead(open(4), content);
    assertAllRead(old, content);
    assertEquals(6, gcs.server().streams().size());
    assertEquals(2L, streamsByConnection().get(1));
  }
}
