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
      for (OpenedCall opened : OpenedCall.on(client, 2, StreamCall::halfClose)) {
        // The server's answer to a stream that ends without a message.
        assertEquals(StatusCode.INVALID_ARGUMENT, opened.listener().awaitEnd().code());
      }
      assertEquals(List.of(1, 2), connectionsOf(server));
    }
  }

  @Test
  void messagesAskedForOneByOneBeforeTheMoveAreAllAskedForAfterIt() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls = OpenedCall.on(client, 2, call -> call.request(1));
      OpenedCall.awaitReady(calls);
      for (OpenedCall opened : calls) {
        for (int readId = 1; readId <= 2; readId++) {
          byte[] request = OpenedCall.request(readId);
          client.run(opened.listener(), () -> opened.call().send(request));
          opened.listener().awaitResponse().close();
        }
      }
      assertEquals(List.of(1, 2), connectionsOf(server));
    }
  }

  /** It needs a further connection, which nobody would close. */
  @Test
  void aCallThatComesAfterTheCloseHasBegunEndsAtOnce() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      OpenedCall running = OpenedCall.ready(client);
      var closed = client.transport.closeAsync(SOON);
      LoopConnections connections = (LoopConnections) client.transport.transport(0);
      TransportFixture.awaitThat("the close has begun", connections::isClosed);
      assertEquals(StatusCode.UNAVAILABLE, OpenedCall.on(client).listener().awaitEnd().code());
      assertEquals(0, running.listener().ends.size());
      running.cancel();
      TransportFixture.await(closed);
      assertEquals(1, server.connections());
    }
  }

  @Test
  void aFullConnectionIsTakenAgainOnceOneOfItsStreamsHasEnded() throws Exception {
    try (FakeGcs server = serverWithLimit(2);
        TransportFixture client = client(server)) {
      OpenedCall first = OpenedCall.ready(client);
      OpenedCall.ready(client);
      OpenedCall.ready(client);
      server.awaitStreams(3, SOON);
      first.cancel();
      OpenedCall.ready(client);
      server.awaitStreams(4, SOON);
      assertEquals(1, server.stream(4).connection());
      assertEquals(2, server.connections());
    }
  }

  @Test
  void anExtraConnectionIsLetGoOnceItIsIdle() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server, Duration.ofMillis(20))) {
      OpenedCall first = OpenedCall.ready(client);
      OpenedCall second = OpenedCall.ready(client);
      server.awaitStreams(2, SOON);
      second.cancel();
      TransportFixture.awaitThat("it is let go", () -> server.openConnections() == 1);
      OpenedCall.ready(client);
      server.awaitStreams(3, SOON);
      assertEquals(3, server.stream(3).connection());
      assertEquals(0, first.listener().ends.size());
    }
  }

  /** Its time without a call starts anew with each. */
  @Test
  void anExtraConnectionThatIsUsedAgainInTimeIsKept() throws Exception {
    Duration idle = Duration.ofMillis(500);
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server, idle)) {
      OpenedCall.ready(client);
      OpenedCall.ready(client).cancel();
      OpenedCall again = OpenedCall.ready(client);
      client.pass(idle.plusMillis(200));
      again.cancel();
      OpenedCall.ready(client);
      server.awaitStreams(4, SOON);
      assertEquals(List.of(1, 2, 2, 2), connectionsOf(server));
    }
  }

  @Test
  void aConnectionThatWasAskedForIsKept() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server, Duration.ZERO)) {
      for (int i = 1; i <= 3; i++) {
        OpenedCall opened = OpenedCall.ready(client);
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
      OpenedCall first = OpenedCall.ready(client);
      first.read(1);
      assertTrue(server.perform(1, StreamAction.limitStreams(1)));
      first.read(2);
      OpenedCall.ready(client);
      server.awaitStreams(2, SOON);
      assertEquals(List.of(1, 2), connectionsOf(server));
    }
  }

  /** Its requests are on their way to one connection already. */
  @Test
  void aCallThatSentBeforeItWasReadyStaysWhereItIs() throws Exception {
    try (FakeGcs server = serverWithLimit(1);
        TransportFixture client = client(server)) {
      List<OpenedCall> calls = OpenedCall.on(client, 2, call -> call.send(OpenedCall.request(1)));
      TransportFixture.awaitThat(
          "one of them is answered",
          () -> calls.stream().anyMatch(call -> !call.listener().responses.isEmpty()));
      // gRPC may have started them in any order.
      int at = calls.get(0).listener().responses.isEmpty() ? 1 : 0;
      OpenedCall waiting = calls.get(1 - at);
      assertFalse(TransportFixture.onLoop(client.loop(), waiting.call()::isReady));
      calls.get(at).cancel();
      waiting.listener().awaitResponse().close();
      assertEquals(List.of(1, 1), connectionsOf(server));
    }
  }
}
