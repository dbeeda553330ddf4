// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamRoomTest {
  private final EmbeddedChannel socket = new EmbeddedChannel();
  private final Http2Connection http2 = new DefaultHttp2Connection(false);
  private int full;
  private final StreamRoom room = new StreamRoom(() -> full++);

  @BeforeEach
  void connect() throws Exception {
    assertRoom(OptionalInt.empty(), 0);
    room.connected(socket, http2);
    assertRoom(OptionalInt.empty(), 0);
    http2.local().maxActiveStreams(2);
    http2.local().createStream(1, false);
    assertRoom(OptionalInt.of(2), 1);
  }

  private void assertRoom(OptionalInt limit, int active) {
    socket.runPendingTasks();
    assertEquals(limit, room.toldLimit());
    assertEquals(active, room.activeStreams());
  }

  @Test
  void theStreamThatTakesTheLastRoomIsToldInATaskOfItsOwn() throws Exception {
    assertEquals(0, full);
    http2.local().createStream(3, false);
    assertEquals(0, full);
    socket.runPendingTasks();
    assertEquals(1, full);
  }

  @Test
  void aSocketThatTakesLeaveHasNoRoomAndNoLimit() throws Exception {
    http2.goAwayReceived(1, 0, Unpooled.EMPTY_BUFFER);
    assertRoom(OptionalInt.empty(), 0);
  }

  @Test
  void aSocketThatIsClosedOrForgottenHasNone() {
    room.forget();
    assertRoom(OptionalInt.empty(), 0);
    room.connected(socket, http2);
    assertRoom(OptionalInt.of(2), 1);
    socket.close();
    assertRoom(OptionalInt.empty(), 0);
  }

  @Test
  void theNewestSocketCounts() throws Exception {
    Http2Connection newer = new DefaultHttp2Connection(false);
    newer.local().maxActiveStreams(7);
    room.connected(new EmbeddedChannel(), newer);
    assertRoom(OptionalInt.of(7), 0);
  }
}
