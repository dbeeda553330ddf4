// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.FastThreadLocalThread;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loops of a client: epoll where the kernel has it, else NIO. Thread-safe.
 *
 * <p>Their threads are daemons named {@code gcs-mrd-loop-N}; a loop's thread starts with its first
 * task.
 */
final class EventLoops {
  private static final AtomicInteger THREAD_NUMBER = new AtomicInteger();

  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final EventLoopGroup group;
  private final List<NettyLoop> loops;

  EventLoops(int count) {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    group = new MultiThreadIoEventLoopGroup(count, this::newThread, io);
    List<NettyLoop> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      EventLoop next = group.next();
      made.add(new NettyLoop(next));
    }
    loops = List.copyOf(made);
  }

  private Thread newThread(Runnable body) {
    Thread thread =
        new FastThreadLocalThread(body, "gcs-mrd-loop-" + THREAD_NUMBER.incrementAndGet());
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  /** A socket of the kind that runs on these loops, not connected. */
  static Channel newSocket() {
    return Epoll.isAvailable() ? new EpollSocketChannel() : new NioSocketChannel();
  }

  /** The loop of an index; indices beyond the number of loops start over. */
  NettyLoop loop(int index) {
    return loops.get(Math.floorMod(index, loops.size()));
  }

  /** Whether the caller runs on one of these loops, and so must not wait for them. */
  boolean inAnyLoop() {
    for (NettyLoop loop : loops) {
      if (loop.inLoop()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Stops the loops, what is queued runs first, and waits until their threads are gone.
   *
   * @return false if the time passed first
   */
  boolean shutdown(long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    Future<?> stopped = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    if (!stopped.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    for (Thread thread : threads) {
      long left = deadline - System.nanoTime();
      if (left > 0) {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      }
      if (thread.isAlive()) {
        return false;
      }
    }
    return true;
  }
}
