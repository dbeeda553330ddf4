// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A {@link Loop} over one of Netty's event loops. Thread-safe. */
final class NettyLoop implements Loop {
  private final EventLoop eventLoop;

  NettyLoop(EventLoop eventLoop) {
    this.eventLoop = eventLoop;
  }

  EventLoop eventLoop() {
    return eventLoop;
  }

  @Override
  public boolean inLoop() {
    return eventLoop.inEventLoop();
  }

  @Override
  public void execute(Runnable task) {
    eventLoop.execute(task);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    ScheduledFuture<?> scheduled = eventLoop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public String toString() {
    return "NettyLoop[" + eventLoop + "]";
  }
}
