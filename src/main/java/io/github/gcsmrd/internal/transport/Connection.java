// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import io.grpc.ManagedChannel;
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
final class Connection implements ConnectionChoice.Candidate {
  private final Loop loop;
  private final ManagedChannel channel;
  private final StreamRoom room;
  private final boolean extra;
  private final Set<CallRoute> routes = new LinkedHashSet<>();
  private Loop.@Nullable Timer idleTimer;

  /** Not connected before its first call. */
  Connection(NettyLoop loop, Channels channels, boolean extra) {
    this.loop = loop;
    this.extra = extra;
    this.room = new StreamRoom(this::relieve);
    this.channel = channels.on(loop, room::connected);
  }

  ManagedChannel channel() {
    return channel;
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
