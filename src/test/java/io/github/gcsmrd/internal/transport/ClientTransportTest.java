// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamTransport;
import io.github.gcsmrd.internal.wire.Response;
import io.grpc.Metadata;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ClientTransportTest {

  private static final RawServer.Handler ONE_MESSAGE =
      (call, headers) -> {
        call.sendHeaders(new Metadata());
        call.request(10);
        call.sendMessage(TransportFixture.response(1, 1000));
        return RawServer.ignore();
      };

  private static Set<String> clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("gcs-mrd-") || name.startsWith("grpc-shared"))
        .collect(Collectors.toSet());
  }

  @Test
  void connectionsAreSpreadOverTheLoops() {
    try (RawServer server = RawServer.start(ONE_MESSAGE);
        TransportFixture fixture =
            new TransportFixture(server.port(), options -> options.connections(4).eventLoops(2))) {
      for (int i = 0; i < 4; i++) {
        StreamTransport transport = fixture.transport.next();
        assertSame(fixture.transport.transport(i % 2), transport);
        RecordingListener listener = fixture.watch(new RecordingListener(transport.loop()));
        StreamCall call = fixture.open(transport, TransportFixture.REQUEST, listener);
        TransportFixture.onLoop(
            transport.loop(),
            () -> {
              call.request(1);
              return null;
            });
        listener.awaitResponse().close();
      }
      assertEquals(4, server.clients.size(), "connections at the server");
      assertSame(fixture.transport.transport(0).loop(), fixture.transport.transport(2).loop());
      assertFalse(fixture.transport.transport(0).loop() == fixture.transport.transport(1).loop());
    }
  }

  @Test
  void allCallsOfAConnectionShareIt() {
    try (RawServer server = RawServer.start(ONE_MESSAGE);
        TransportFixture fixture = new TransportFixture(server.port())) {
      for (int i = 0; i < 10; i++) {
        RecordingListener listener = fixture.listener();
        fixture.open(listener, 1);
        listener.awaitResponse().close();
      }
      assertEquals(1, server.clients.size(), "connections at the server");
    }
  }

  @Test
  void closeCancelsWhatIsOpenAndLeavesNoThread() throws Exception {
    try (RawServer server = RawServer.start(ONE_MESSAGE)) {
      Set<String> withServer = clientThreads();
      TransportFixture fixture =
          new TransportFixture(server.port(), options -> options.connections(3).eventLoops(3));
      try (fixture) {
        RecordingListener listener = fixture.listener();
        fixture.open(listener, 1);
        listener.awaitResponse().close();
        long begin = System.nanoTime();
        TransportFixture.await(fixture.transport.closeAsync(Duration.ofMillis(50)));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        assertTrue(millis < 2000, "close took " + millis + " ms");
        assertEquals(Origin.TRANSPORT, listener.awaitEnd().origin());
      }
      TransportFixture.awaitThat(
          "no thread is left", () -> withServer.containsAll(clientThreads()));
    }
  }

  @Test
  void closeIsIdempotentAndDoesNotWaitOnALoop() {
    try (RawServer server = RawServer.start(ONE_MESSAGE);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      listener.awaitResponse().close();
      TransportFixture.onLoop(
          fixture.loop(),
          () -> {
            // On the loop: does not wait for itself.
            fixture.transport.closeAsync(Duration.ZERO);
            fixture.transport.close();
            return null;
          });
      fixture.transport.close();
      fixture.transport.close();
      assertEquals(1, listener.ends.size());
    }
  }

  @Test
  void anInterruptEndsTheWaitOfCloseAndIsKept() {
    try (RawServer server = RawServer.start(ONE_MESSAGE);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      listener.awaitResponse().close();
      Thread.currentThread().interrupt();
      fixture.transport.close();
      assertTrue(Thread.interrupted(), "the interrupt was lost");
      listener.awaitEnd();
    }
  }

  @Test
  void heldMessagesOutliveTheTransport() {
    Response held;
    ClientTransport transport;
    try (RawServer server = RawServer.start(ONE_MESSAGE)) {
      ExecutorService blocking = Executors.newCachedThreadPool();
      transport =
          new ClientTransport(
              TransportOptions.builder()
                  .endpoint("localhost", server.port())
                  .plaintext(true)
                  .build(),
              blocking);
      RecordingListener listener = new RecordingListener(transport.transport(0).loop());
      TransportFixture.onLoop(
          transport.transport(0).loop(),
          () -> {
            transport.transport(0).open(TransportFixture.REQUEST, listener).request(1);
            return null;
          });
      held = listener.awaitResponse();
      TransportFixture.await(transport.closeAsync(Duration.ZERO));
      blocking.shutdown();
    }
    assertTrue(transport.pinnedDirectBytes() >= 1000);
    held.close();
    assertEquals(0, transport.pinnedDirectBytes());
  }

  /** Each reopen connects anew: gRPC's own back-off of a second or more is not waited for. */
  @Test
  void aReopenAfterARefusedConnectConnectsAtOnce() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (TransportFixture fixture = new TransportFixture(port)) {
      for (int i = 0; i < 3; i++) {
        RecordingListener refused = fixture.listener();
        fixture.open(refused, 1);
        assertEquals(StatusCode.UNAVAILABLE, refused.awaitEnd().code());
      }
      try (RawServer late = RawServer.start(port, builder -> {}, ONE_MESSAGE)) {
        long begin = System.nanoTime();
        RecordingListener listener = fixture.listener();
        fixture.open(listener, 1);
        listener.awaitResponse().close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        assertEquals(1, late.clients.size());
        assertTrue(millis < 800, "the first call after the failures took " + millis + " ms");
      }
    }
  }

  /** gRPC refills the connection's window even with bytes that no stream took. */
  @Test
  void aStreamThatAsksForNothingDoesNotStopItsNeighbour() {
    int window = 1 << 16;
    RawServer.Handler flooding =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          for (int i = 0; i < 40; i++) {
            call.sendMessage(TransportFixture.response(i, window));
          }
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(flooding);
        TransportFixture fixture =
            new TransportFixture(
                server.port(), options -> options.flowControlWindowBytes(window))) {
      RecordingListener first = fixture.listener();
      fixture.open(first, 1);
      first.awaitResponse().close();
      RecordingListener second = fixture.listener();
      fixture.open(second, 40);
      for (int i = 0; i < 40; i++) {
        second.awaitResponse().close();
      }
      assertEquals(0, first.responses.size());
      assertEquals(1, server.clients.size());
    }
  }

  @Test
  void optionsRefuseWhatCannotBe() {
    TransportOptionsBuilder builder = TransportOptions.builder();
    for (Runnable bad :
        List.<Runnable>of(
            () -> builder.endpoint("h", 0).build(),
            () -> builder.endpoint(" ", 1).build(),
            () -> builder.endpoint("h", 1).eventLoops(0).build(),
            () -> builder.eventLoops(2).connections(1).build(),
            () -> builder.eventLoops(1).userProject(Optional.of("ü")).build())) {
      assertThrows(IllegalArgumentException.class, bad::run);
    }
  }

  @Test
  void timersRunOnTheLoopUnlessCancelled() {
    try (TransportFixture fixture = new TransportFixture(1)) {
      CompletableFuture<Boolean> ran = new CompletableFuture<>();
      AtomicBoolean cancelledRan = new AtomicBoolean();
      TransportFixture.onLoop(
          fixture.loop(),
          () -> {
            fixture.loop().schedule(() -> cancelledRan.set(true), 1_000_000).cancel();
            return null;
          });
      fixture.loop().schedule(() -> ran.complete(fixture.loop().inLoop()), 2_000_000);
      assertTrue(TransportFixture.await(ran));
      assertFalse(cancelledRan.get());
    }
  }
}
