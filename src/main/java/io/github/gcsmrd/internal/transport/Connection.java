// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection: its channel, and the calls on it. Confined to its loop, where all of them run.
 *
 * <p>Calls are put on a connection before it is up, when nobody knows the server's limit of
 * concurrent streams. Once a stream takes the last room, those that wait beyond it take other
 * connections; the newest first, since the oldest are likely to be on their way.
 */
final class Connection implements ConnectionChoice.Candidate, SocketWatcher {
  private final Loop loop;
  private final ManagedChannel channel;
  private final StreamRoom room;
  private final boolean extra;
  private final Set<CallRoute> routes = new LinkedHashSet<>();
  private Loop.@Nullable Timer idleTimer;

  /** The socket that new streams go to; null if there is none or it was given up. */
  private @Nullable SocketPulse pulse;

  /** Not connected before its first call. */
  Connection(NettyLoop loop, Channels channels, boolean extra) {
    this.loop = loop;
    this.extra = extra;
    this.room = new StreamRoom(this::relieve);
    this.channel = channels.on(loop, this);
  }

  ManagedChannel channel() {
    return channel;
  }

  @Override
  public void born(SocketPulse newest) {
    pulse = newest;
  }

  @Override
  public void connected(Channel socket, Http2Connection http2) {
    room.connected(socket, http2);
  }

  /** The socket that new streams go to; null if there is none or it was given up. */
  @Nullable SocketPulse pulse() {
    return pulse;
  }

  /**
   * Gives up the socket of a silent call if it was silent too, unless it was replaced before. Going
   * idle, the channel lets its streams go on and closes it after the last one; calls that wait or
   * come get another look-up and connect.
   */
  void giveUpIfSilent(@Nullable SocketPulse socket, long silentNanos) {
    if (socket != null && socket == pulse && socket.isSilentFor(silentNanos)) {
      pulse = null;
      room.forget();
      channel.enterIdle();
    }
  }

  /** A call comes. */
  void add(CallRoute route) {
    assert loop.inLoop();
    routes.add(route);
    Loop.Timer running = idleTimer;
    idleTimer = null;
    if (running != null) {
      running.cancel();
    }
  }

  /**
   * A call has ended or left.
   *
   * @return whether it was the last one
   */
  boolean remove(CallRoute route) {
    assert loop.inLoop();
    return routes.remove(route) && routes.isEmpty();
  }

  /** Runs a task unless a call comes before the time has passed. */
  void whenIdle(Runnable task, long nanos) {
    idleTimer = loop.schedule(task, nanos);
  }

  private void relieve() {
    int excess = ConnectionChoice.excess(this);
    if (excess == 0) {
      return;
    }
    List<CallRoute> oldestFirst = new ArrayList<>(routes);
    for (int i = oldestFirst.size() - 1; i >= 0 && excess > 0; i--) {
      if (oldestFirst.get(i).tryMove()) {
        excess--;
      }
    }
  }

  @Override
  public boolean isExtra() {
    return extra;
  }

  @Override
  public int calls() {
    return routes.size();
  }

  @Override
  public int activeStreams() {
    return room.activeStreams();
  }

  @Override
  public OptionalInt toldLimit() {
    return room.toldLimit();
  }
}
