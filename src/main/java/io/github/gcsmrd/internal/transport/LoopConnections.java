// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamListener;
import io.github.gcsmrd.internal.stream.StreamTransport;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, which {@link ConnectionChoice} chooses among. Confined to the
 * loop, but for its constructor and {@link #loop}.
 *
 * <p>There are as many as were asked for, and extra ones while the server's limit of concurrent
 * streams needs them.
 */
final class LoopConnections implements StreamTransport {
  private final NettyLoop loop;
  private final Channels channels;
  private final OpenChannels open;
  private final CallStarter starter;
  private final RoomTiming timing;
  private final ConnectionChoice choice = new ConnectionChoice();

  /** Extra ones last. */
  private final List<Connection> connections;

  /**
   * Prepares the connections; they are made with their first calls.
   *
   * @param loop runs all of them
   * @param count how many there are always, 1 or more
   * @param channels makes their channels
   * @param open knows all channels of the client
   * @param starter starts the calls
   * @param timing when they are looked after
   */
  LoopConnections(
      NettyLoop loop,
      int count,
      Channels channels,
      OpenChannels open,
      CallStarter starter,
      RoomTiming timing) {
    this.loop = loop;
    this.channels = channels;
    this.open = open;
    this.starter = starter;
    this.timing = timing;
    this.connections = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      add(false);
    }
  }

  private Connection add(boolean extra) {
    Connection added = new Connection(loop, channels, extra);
    open.add(added.channel());
    connections.add(added);
    return added;
  }

  @Override
  public Loop loop() {
    return loop;
  }

  @Override
  public StreamCall open(OpenRequest request, StreamListener listener) {
    assert loop.inLoop();
    Metadata headers;
    try {
      headers = starter.headers(request);
    } catch (IllegalArgumentException unsendable) {
      return refuse(unsendable, listener);
    }
    CallRoute route = new CallRoute(loop, this, starter, headers, timing.look().toNanos());
    GrpcStreamCall call = new GrpcStreamCall(loop, listener, route);
    call.start();
    return call;
  }

  private StreamCall refuse(IllegalArgumentException unsendable, StreamListener listener) {
    String why = String.valueOf(unsendable.getMessage());
    StreamEnd end =
        StatusTranslator.local(StatusCode.INVALID_ARGUMENT, why, Origin.LOCAL, unsendable);
    loop.execute(() -> listener.onEnd(end));
    return new RefusedCall();
  }

  /** A connection with room for a call, not the given one. */
  Connection take(@Nullable Connection avoided) {
    Connection chosen = choice.choose(connections, avoided);
    return chosen == null ? add(true) : chosen;
  }

  /** A call is on a connection no more. */
  void left(Connection connection, CallRoute route) {
    if (connection.remove(route) && connection.isExtra() && !isClosed()) {
      connection.whenIdle(() -> letGo(connection), timing.idle().toNanos());
    }
  }

  private void letGo(Connection idle) {
    connections.remove(idle);
    idle.channel().shutdown();
  }

  /** Whether the client closes. */
  boolean isClosed() {
    return open.isClosed();
  }
}
