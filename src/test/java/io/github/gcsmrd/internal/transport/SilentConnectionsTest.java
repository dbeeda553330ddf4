// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a connection whose calls are cancelled for silence. */
class SilentConnectionsTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final long A_MOMENT = 1;

  private FakeGcs server;

  @BeforeEach
  void start() throws Exception {
    server = FakeGcs.start();
    server.put("a-bucket", "o", ObjectContent.generated(1, 100));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static StreamEnd cancelSilent(OpenedCall opened, long nanos) {
    opened.fixture().run(opened.listener(), () -> opened.call().cancelSilent("no byte", nanos));
    return opened.listener().awaitEnd();
  }

  private int connectionOfNextStream(TransportFixture client) throws Exception {
    int ordinal = server.streams().size() + 1;
    OpenedCall.ready(client);
    server.awaitStreams(ordinal, SOON);
    return server.stream(ordinal).connection();
  }

  @Test
  void theNextCallGetsAnotherConnectionAndThoseOnItGoOn() throws Exception {
    try (TransportFixture client = new TransportFixture(server.port())) {
      OpenedCall silent = OpenedCall.ready(client);
      OpenedCall neighbour = OpenedCall.ready(client);
      server.awaitStreams(2, SOON);
      StreamEnd end = cancelSilent(silent, A_MOMENT);
      assertEquals(StatusCode.CANCELLED, end.code());
      assertEquals(StreamEnd.Origin.LOCAL, end.origin());
      assertEquals(2, connectionOfNextStream(client));
      neighbour.read(1);
      assertEquals(1, server.stream(2).connection());
    }
  }

  @Test
  void aConnectionIsReplacedOnceForAllItsCalls() throws Exception {
    try (TransportFixture client = new TransportFixture(server.port())) {
      List<OpenedCall> silent = OpenedCall.on(client, 3);
      OpenedCall.awaitReady(silent);
      server.awaitStreams(3, SOON);
      cancelSilent(silent.get(0), A_MOMENT);
      cancelSilent(silent.get(1), A_MOMENT);
      assertEquals(2, connectionOfNextStream(client));
      cancelSilent(silent.get(2), A_MOMENT);
      assertEquals(2, connectionOfNextStream(client));
    }
  }

  @Test
  void aConnectionThatBroughtSomethingMeanwhileIsKept() throws Exception {
    try (TransportFixture client = new TransportFixture(server.port())) {
      long begin = System.nanoTime();
      OpenedCall silent = OpenedCall.ready(client);
      OpenedCall.ready(client).read(1);
      cancelSilent(silent, System.nanoTime() - begin + TimeUnit.SECONDS.toNanos(1));
      assertEquals(1, connectionOfNextStream(client));
    }
  }

  @Test
  void aCancelForAnotherReasonCostsNoConnection() throws Exception {
    try (TransportFixture client = new TransportFixture(server.port())) {
      OpenedCall.ready(client).cancel();
      assertEquals(1, connectionOfNextStream(client));
    }
  }

  /** It was never sent; whoever else waits goes on to wait, on a connect of its own. */
  @Test
  void aConnectThatLeadsNowhereIsBegunAnewForThoseWhoWait() throws Exception {
    try (TcpServer door = TcpServer.shutAtFirst(server.port());
        TransportFixture client = new TransportFixture(door.port())) {
      List<OpenedCall> calls = OpenedCall.on(client, 2);
      TransportFixture.awaitThat("the connect has begun", () -> door.accepted.get() == 1);
      cancelSilent(calls.get(0), A_MOMENT);
      calls.get(1).listener().awaitReady();
      assertEquals(2, door.accepted.get());
    }
  }

  /** A look-up may have taken most of the time; the connection was not even tried then. */
  @Test
  void aSocketThatIsMuchYoungerThanTheSilenceIsKept() {
    CountDownLatch opened = new CountDownLatch(1);
    try (TcpServer door = TcpServer.door(server.port(), opened);
        TransportFixture client = new TransportFixture(door.port())) {
      List<OpenedCall> calls = OpenedCall.on(client, 2);
      TransportFixture.awaitThat("the connect has begun", () -> door.accepted.get() == 1);
      cancelSilent(calls.get(0), TimeUnit.HOURS.toNanos(1));
      opened.countDown();
      calls.get(1).listener().awaitReady();
      assertEquals(1, door.accepted.get());
    }
  }

  @Test
  void aClientThatClosesReplacesNothing() {
    try (TransportFixture client = new TransportFixture(server.port())) {
      OpenedCall silent = OpenedCall.ready(client);
      var closed = client.transport.closeAsync(SOON);
      LoopConnections connections = (LoopConnections) client.transport.transport(0);
      TransportFixture.awaitThat("the close has begun", connections::isClosed);
      cancelSilent(silent, A_MOMENT);
      TransportFixture.await(closed);
      assertEquals(1, server.connections());
    }
  }
}
