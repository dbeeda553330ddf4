// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.wire.Response;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The way of one call to the server: the connection it is on, and when it takes another. Confined
 * to the loop.
 *
 * <p>A call waits until its headers are on the way. While it does, it can move without loss, since
 * the server has not heard of it. It moves when its connection is full, which HTTP/2 knows: waiting
 * for a look-up, a connect or credentials is something else.
 */
final class CallRoute {
  /**
   * Every move is to a connection that has room as far as anybody knows. If that turns out wrong
   * three times, the server wants no more streams, and the open's time limit ends the call.
   */
  static final int MAX_MOVES = 3;

  private final Loop loop;
  private final LoopConnections connections;
  private final CallStarter starter;
  private final Metadata headers;
  private final long lookNanos;
  private @Nullable GrpcStreamCall call;
  private @Nullable Connection connection;

  /** The socket it was sent on; null before that, and the connection's newest one counts. */
  private @Nullable SocketPulse socket;

  private Loop.@Nullable Timer timer;
  private boolean waiting = true;
  private int moves;

  /**
   * A call that was not started.
   *
   * @param loop the loop of the connections
   * @param connections where it can go
   * @param starter starts it
   * @param headers what it is started with, each time
   * @param lookNanos how often it looks while it waits
   */
  CallRoute(
      Loop loop,
      LoopConnections connections,
      CallStarter starter,
      Metadata headers,
      long lookNanos) {
    this.loop = loop;
    this.connections = connections;
    this.starter = starter;
    this.headers = headers;
    this.lookNanos = lookNanos;
  }

  /** Starts the call on a connection with room, another one if it is on one. */
  ClientCall<byte[], Response> start(GrpcStreamCall starting, CallEvents events) {
    assert loop.inLoop();
    Connection left = connection;
    leave();
    Connection taken = connections.take(left);
    call = starting;
    connection = taken;
    taken.add(this);
    timer = loop.schedule(this::look, lookNanos);
    return starter.start(taken.channel(), headers, events);
  }

  /** The call's headers go out. */
  void onSocket() {
    Connection on = connection;
    socket = on == null ? null : on.pulse();
  }

  /** Gives the connection up if it was silent too: whoever comes later gets another one. */
  void giveUpIfSilent(long silentNanos) {
    Connection on = connection;
    if (on != null && !connections.isClosed()) {
      on.giveUpIfSilent(socket == null ? on.pulse() : socket, silentNanos);
    }
  }

  /** The call is on its way: it stays where it is. */
  void settled() {
    waiting = false;
    cancelTimer();
  }

  /** The call is on no connection any more. */
  void leave() {
    cancelTimer();
    Connection left = connection;
    connection = null;
    if (left != null) {
      connections.left(left, this);
    }
  }

  /** Takes another connection if the call still can. */
  boolean tryMove() {
    GrpcStreamCall moving = call;
    if (!waiting || moves == MAX_MOVES || moving == null || !moving.isUnsent()) {
      return false;
    }
    if (connections.isClosed()) {
      return false;
    }
    moves++;
    moving.move();
    return true;
  }

  private void look() {
    timer = null;
    Connection on = connection;
    if (on == null || !waiting) {
      return;
    }
    if (!ConnectionChoice.isFull(on) || !tryMove()) {
      timer = loop.schedule(this::look, lookNanos);
    }
  }

  private void cancelTimer() {
    Loop.Timer running = timer;
    timer = null;
    if (running != null) {
      running.cancel();
    }
  }
}
