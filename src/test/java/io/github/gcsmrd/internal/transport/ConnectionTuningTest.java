// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.gcsmrd.internal.stream.StreamCall;
import io.grpc.Metadata;
import org.junit.jupiter.api.Test;

class ConnectionTuningTest {
  private static final int WINDOW = 1 << 16;

  /** The stream that stands still has its whole window, a quarter of the connection's, full. */
  @Test
  void aStreamThatAsksForNothingDoesNotStopItsNeighbour() {
    RawServer.Handler flooding =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          for (int i = 0; i < 40; i++) {
            call.sendMessage(TransportFixture.response(i, WINDOW));
          }
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(flooding);
        TransportFixture fixture =
            new TransportFixture(
                server.port(),
                options ->
                    options.flowControlWindowBytes(WINDOW).connectionWindowBytes(4 * WINDOW))) {
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

  /** Nothing but the end of the first call happens on the connection. */
  @Test
  void aCallThatWaitedForRoomStartsOnAQuietConnection() {
    RawServer.Handler silent =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          return RawServer.ignore();
        };
    try (RawServer server =
            RawServer.start(0, builder -> builder.maxConcurrentCallsPerConnection(1), silent);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      StreamCall running = fixture.open(listener);
      listener.awaitReady();
      TransportFixture.awaitThat("headers came", () -> server.headers.size() == 1);
      for (int i = 0; i < 30; i++) {
        RecordingListener queued = fixture.listener();
        StreamCall waiting = fixture.open(queued);
        assertFalse(TransportFixture.onLoop(fixture.loop(), waiting::isReady));
        StreamCall ending = running;
        fixture.run(listener, () -> ending.cancel("make room"));
        queued.awaitReady();
        running = waiting;
        listener = queued;
      }
    }
  }
}
