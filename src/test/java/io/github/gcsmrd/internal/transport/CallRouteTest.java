// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamAction;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls that wait: for what, and what they do about it. */
class CallRouteTest {
  private static final Duration LOOK = Duration.ofMillis(20);

  private static final Duration MANY_LOOKS = LOOK.multipliedBy(15);

  private final GatedCredentials credentials = new GatedCredentials();
  private final AtomicInteger started = new AtomicInteger();

  private static FakeGcs serverWithLimit(int streams) throws IOException {
    FakeGcs server = FakeGcs.builder().maxConcurrentStreams(streams).start();
    server.put("a-bucket", "o", ObjectContent.generated(1, 100));
    return server;
  }

  /** A client that counts the calls that gRPC is asked to start. */
  private TransportFixture client(int port) {
    return new TransportFixture(port, this::counting);
  }

  private TransportFixture clientWithCredentials(int port) {
    return new TransportFixture(
        port, options -> counting(options).credentials(Optional.of(credentials)));
  }

  private TransportOptionsBuilder counting(TransportOptionsBuilder options) {
    ClientInterceptor counter =
        new ClientInterceptor() {
          @Override
          public <Q, A> ClientCall<Q, A> interceptCall(
              MethodDescriptor<Q, A> method, CallOptions callOptions, Channel next) {
            started.incrementAndGet();
            return next.newCall(method, callOptions);
          }
        };
    return options
        .roomTiming(new RoomTiming(LOOK, Duration.ofSeconds(60)))
        .customizer(builder -> builder.intercept(counter));
  }

  @Test
  void aSlowConnectIsNotTakenForAFullConnection() throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    try (FakeGcs server = serverWithLimit(3);
        TcpServer door = TcpServer.door(server.port(), opened);
        TransportFixture client = client(door.port())) {
      List<OpenedCall> calls = OpenedCall.on(client, 3);
      TransportFixture.awaitThat("the connect has begun", () -> door.accepted.get() == 1);
      client.pass(MANY_LOOKS);
      opened.countDown();
      OpenedCall.awaitReady(calls);
      assertEquals(1, door.accepted.get());
      assertEquals(3, started.get());
    }
  }

  @Test
  void slowCredentialsAreNotTakenForAFullConnection() throws Exception {
    try (FakeGcs server = serverWithLimit(2);
        TransportFixture client = clientWithCredentials(server.port())) {
      credentials.gate.countDown();
      OpenedCall.ready(client);
      credentials.gate = new CountDownLatch(1);
      OpenedCall waiting = OpenedCall.on(client);
      client.pass(MANY_LOOKS);
      credentials.gate.countDown();
      waiting.listener().awaitReady();
      assertEquals(1, server.connections());
      assertEquals(2, started.get());
    }
  }

  /** The call was put on the connection when there was room, and found none when it was sent. */
  @Test
  void aCallThatALoweredLimitKeepsWaitingMoves() throws Exception {
    try (FakeGcs server = serverWithLimit(2);
        TransportFixture client = clientWithCredentials(server.port())) {
      credentials.gate.countDown();
      OpenedCall first = OpenedCall.ready(client);
      first.read(1);
      credentials.gate = new CountDownLatch(1);
      OpenedCall second = OpenedCall.on(client);
      assertTrue(server.perform(1, StreamAction.limitStreams(1)));
      first.read(2);
      credentials.gate.countDown();
      second.listener().awaitReady();
      server.awaitStreams(2, Duration.ofSeconds(10));
      assertEquals(1, server.stream(1).connection());
      assertEquals(2, server.stream(2).connection());
    }
  }

  /**
   * It goes to and fro between two connections, but not for ever; and it can still be cancelled.
   */
  @Test
  void aCallThatNobodyTakesMovesAFewTimes() {
    try (TcpServer server = TcpServer.thatAllowsNoStreams();
        TransportFixture client = client(server.port())) {
      OpenedCall opened = OpenedCall.on(client);
      TransportFixture.awaitThat(
          "it has moved as often as it may", () -> started.get() == 1 + CallRoute.MAX_MOVES);
      client.pass(MANY_LOOKS);
      assertEquals(1 + CallRoute.MAX_MOVES, started.get());
      assertEquals(2, server.accepted.get());
      assertEquals(0, opened.listener().ready.size() + opened.listener().ends.size());
      opened.cancel();
      assertEquals(StatusCode.CANCELLED, opened.listener().awaitEnd().code());
    }
  }

  /** Calls may go on for a while, but none is begun: where it would go, all is closed. */
  @Test
  void aCallMovesNoMoreOnceTheClientCloses() {
    CountDownLatch opened = new CountDownLatch(1);
    try (TcpServer server = TcpServer.thatAllowsNoStreams();
        TcpServer door = TcpServer.door(server.port(), opened);
        TransportFixture client = client(door.port())) {
      OpenedCall waiting = OpenedCall.on(client);
      TransportFixture.awaitThat("the connect has begun", () -> door.accepted.get() == 1);
      var closed = client.transport.closeAsync(Duration.ofSeconds(10));
      LoopConnections connections = (LoopConnections) client.transport.transport(0);
      TransportFixture.awaitThat("the close has begun", connections::isClosed);
      opened.countDown();
      TransportFixture.awaitThat("it is connected", () -> server.accepted.get() == 1);
      client.pass(MANY_LOOKS);
      assertEquals(1, started.get());
      assertEquals(0, waiting.listener().ends.size());
      waiting.cancel();
      TransportFixture.await(closed);
    }
  }

  @Test
  void aCancelledCallMovesNoMore() {
    try (TcpServer server = TcpServer.thatAllowsNoStreams();
        TransportFixture client = client(server.port())) {
      OpenedCall opened = OpenedCall.on(client);
      TransportFixture.awaitThat("it has moved", () -> started.get() >= 2);
      opened.cancel();
      int before = started.get();
      client.pass(MANY_LOOKS);
      assertEquals(before, started.get());
    }
  }

  /** Nobody cancelled them: gRPC ends them, but leaves their connections to the end of the loop. */
  @Test
  void closingWhileCallsWaitEndsThemAndLeavesNoSocket() {
    try (TcpServer server = TcpServer.thatAllowsNoStreams();
        TransportFixture client = client(server.port())) {
      List<OpenedCall> calls = OpenedCall.on(client, 3);
      TransportFixture.awaitThat("connections", () -> server.accepted.get() >= 2);
      long begin = System.nanoTime();
      TransportFixture.await(client.transport.closeAsync(Duration.ofMillis(50)));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertTrue(millis < 4000, "close took " + millis + " ms");
      for (OpenedCall opened : calls) {
        assertEquals(StatusCode.UNAVAILABLE, opened.listener().awaitEnd().code());
      }
      TransportFixture.awaitThat("no socket is left", () -> server.open.get() == 0);
    }
  }
}
