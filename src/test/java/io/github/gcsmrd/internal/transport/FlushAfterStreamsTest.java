// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.gcsmrd.internal.stream.StreamCall;
import io.grpc.Metadata;
import org.junit.jupiter.api.Test;

class FlushAfterStreamsTest {
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
