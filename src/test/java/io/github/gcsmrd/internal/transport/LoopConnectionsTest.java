// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Calls that meet the server's limit of concurrent streams. No call looks by itself for room here:
 * their connections tell them.
 */
class LoopConnectionsTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  /** Long enough to happen in no test. */
  private static final Duration NEVER = Duration.ofHours(1);

  private static FakeGcs serverWithLimit(int streams) throws IOException {
    FakeGcs server = FakeGcs.builder().maxConcurrentStreams(streams).start();
    server.put("a-bucket", "o", ObjectContent.generated(1, 100));
    return server;
  }

  private static TransportFixture client(FakeGcs server) {
    return client(server, NEVER);
  }

  private static TransportFixture client(FakeGcs server, Duration idle) {
    return new TransportFixture(
        server.port(), options -> options.roomTiming(new RoomTiming(NEVER, idle)));
  }

  private static List<Integer> connectionsOf(FakeGcs server) {
    return server.streams().stream().map(StreamRecord::connection).sorted().toList();
  }

  /** How many streams the connections had, the busiest last. */
  private static List<Long> streamCounts(FakeGcs server) {
    return server.streams().stream()
        .collect(Collectors.groupingBy(StreamRecord::connection, Collectors.counting()))
        .values()
        .stream()
        .sorted()
        .toList();
  }

  @Test
  void callsBeyondTheLimitTakeFurtherConnectionsAndReachTheServerOnce() throws Exception {
    try (FakeGcs server = serverWithLimit(2);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls = OpenedCall.on(client, 5);
      OpenedCall.awaitReady(calls);
      server.awaitStreams(5, SOON);
      assertEquals(List.of(1L, 2L, 2L), streamCounts(server));
      for (OpenedCall opened : calls) {
        assertEquals(0, opened.listener().ends.size(), "the move was told");
      }
    }
  }

  /** What was asked of a call before its move holds after it. */
  @Test
  void aMovedCallWorksAsIfItHadNeverBeenElsewhere() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      for (OpenedCall opened : OpenedCall.on(client, 2)) {
        RecordingListener listener = opened.listener();
        listener.awaitReady();
        client.run(listener, () -> opened.call().send(OpenedCall.request(1)));
        listener.awaitResponse().close();
        client.run(listener, opened.call()::halfClose);
        assertEquals(StatusCode.OK, listener.awaitEnd().code());
      }
      assertEquals(List.of(1, 2), connectionsOf(server));
    }
  }

  @Test
  void aHalfCloseBeforeTheMoveHoldsAfterIt() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls = OpenedCall.on(client, 2);
      client.run(calls.get(1).listener(), calls.get(1).call()::halfClose);
      // The server answers a stream that ends without a message.
      assertEquals(StatusCode.INVALID_ARGUMENT, calls.get(1).listener().awaitEnd().code());
      assertEquals(List.of(1, 2), connectionsOf(server));
    }
  }

  @org.junit.jupiter.api.RepeatedTest(40)
  void aFullConnectionIsTakenAgainOnceOneOfItsStreamsHasEnded() throws Exception {
    try (FakeGcs server = serverWithLimit(2);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls = OpenedCall.on(client, 3);
      OpenedCall.awaitReady(calls);
      server.awaitStreams(3, SOON);
      calls.get(0).cancel();
      OpenedCall.awaitReady(List.of(OpenedCall.on(client)));
      server.awaitStreams(4, SOON);
      assertEquals(1, server.stream(4).connection(), () -> server.streams().toString());
      assertEquals(2, server.connections());
    }
  }

  @Test
  void anExtraConnectionIsLetGoOnceItIsIdle() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server, Duration.ofMillis(20))) {
      List<OpenedCall> calls = OpenedCall.on(client, 2);
      OpenedCall.awaitReady(calls);
      server.awaitStreams(2, SOON);
      calls.get(1).cancel();
      TransportFixture.awaitThat("it is let go", () -> server.openConnections() == 1);
      OpenedCall.awaitReady(List.of(OpenedCall.on(client)));
      server.awaitStreams(3, SOON);
      assertEquals(3, server.stream(3).connection());
      assertEquals(0, calls.get(0).listener().ends.size());
    }
  }

  @Test
  void anExtraConnectionThatIsUsedAgainInTimeIsKept() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls = OpenedCall.on(client, 2);
      OpenedCall.awaitReady(calls);
      server.awaitStreams(2, SOON);
      for (int i = 3; i < 6; i++) {
        calls.get(1).cancel();
        calls = List.of(calls.get(0), OpenedCall.on(client));
        calls.get(1).listener().awaitReady();
        server.awaitStreams(i, SOON);
      }
      assertEquals(List.of(1, 2, 2, 2, 2), connectionsOf(server));
    }
  }

  @Test
  void aConnectionThatWasAskedForIsKept() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server, Duration.ZERO)) {
      for (int i = 1; i <= 3; i++) {
        OpenedCall opened = OpenedCall.on(client);
        opened.listener().awaitReady();
        server.awaitStreams(i, SOON);
        opened.cancel();
      }
      assertEquals(List.of(1, 1, 1), connectionsOf(server));
    }
  }

  @Test
  void callsOpenedAfterTheLimitWasLoweredHeedIt() throws Exception {
    try (FakeGcs server = serverWithLimit(10);
        TransportFixture client = client(server)) {
      OpenedCall first = OpenedCall.on(client);
      first.listener().awaitReady();
      first.read(1);
      assertTrue(server.perform(1, StreamAction.limitStreams(1)));
      first.read(2);
      OpenedCall.awaitReady(List.of(OpenedCall.on(client)));
      server.awaitStreams(2, SOON);
      assertEquals(List.of(1, 2), connectionsOf(server));
    }
  }

  /** Its requests are on their way to one connection already. */
  @Test
  void aCallThatSentBeforeItWasReadyStaysWhereItIs() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls =
          OpenedCall.on(client, 2, call -> call.send(OpenedCall.request(1)));
      calls.get(0).listener().awaitResponse().close();
      StreamCall second = calls.get(1).call();
      assertFalse(TransportFixture.onLoop(client.loop(), second::isReady));
      calls.get(0).cancel();
      calls.get(1).listener().awaitResponse().close();
      assertEquals(List.of(1, 1), connectionsOf(server));
    }
  }
}
