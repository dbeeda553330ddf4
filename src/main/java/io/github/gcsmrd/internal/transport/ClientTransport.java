// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.StreamTransport;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client's event loops, connections and receive memory. Thread-safe.
 *
 * <p>Sessions are spread over the loops, and the calls of a loop over its connections. Connections
 * are made with their first call. The memory of messages that are still held stays valid after the
 * close and returns to its pool whenever it is released.
 */
public final class ClientTransport implements AutoCloseable {
  /** How long {@link #close} waits for calls to end before it cancels them. */
  public static final Duration DEFAULT_CLOSE_WAIT = Duration.ofSeconds(5);

  private final EventLoops loops;
  private final PooledByteBufAllocator allocator;
  private final Optional<TransportCredentials> credentials;
  private final List<LoopConnections> transports;
  private final TransportCloser closer;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Prepares loops and channels; nothing is connected yet.
   *
   * @param options the settings
   * @param blocking runs name look-ups and the work of credentials; must outlive this transport
   * @throws IllegalArgumentException if the trusted certificates can't be used
   */
  public ClientTransport(TransportOptions options, Executor blocking) {
    loops = new EventLoops(options.eventLoops());
    allocator = ReceiveMemory.newAllocator(options.eventLoops());
    credentials = options.credentials().map(given -> new TransportCredentials(given, blocking));
    OpenChannels open = new OpenChannels();
    closer = new TransportCloser(loops, open);
    try {
      transports = connect(options, new Channels(options, allocator, blocking), open);
    } catch (RuntimeException failure) {
      closer.begin(Duration.ZERO);
      throw failure;
    }
  }

  /** Spreads the connections over the loops; none is left without. */
  private List<LoopConnections> connect(
      TransportOptions options, Channels channels, OpenChannels open) {
    RequestHeaders headers = new RequestHeaders(options.userProject());
    HoldLimit limit = new HoldLimit(options.pinnedMemoryBytes(), allocator::pinnedDirectMemory);
    int loopCount = options.eventLoops();
    List<LoopConnections> made = new ArrayList<>(loopCount);
    for (int i = 0; i < loopCount; i++) {
      int count = (options.connections() + loopCount - 1 - i) / loopCount;
      NettyLoop loop = loops.loop(i);
      CallStarter starter = new CallStarter(loop, headers, credentials, limit);
      RoomTiming timing = options.roomTiming();
      made.add(new LoopConnections(loop, count, channels, open, starter, timing));
    }
    return List.copyOf(made);
  }

  /**
   * The transport of a loop, which spreads its calls over the loop's connections.
   *
   * @param index 0 or more; indices beyond the number of loops start over
   */
  public StreamTransport transport(int index) {
    return transports.get(Math.floorMod(index, transports.size()));
  }

  /** The transports in turn. */
  public StreamTransport next() {
    return transport(next.getAndIncrement());
  }

  /** The credentials of the calls, if they carry any. */
  public Optional<TransportCredentials> credentials() {
    return credentials;
  }

  /** Whether the caller runs on one of the loops, and so must not wait for them. */
  public boolean isOnLoop() {
    return loops.inAnyLoop();
  }

  /**
   * The direct memory that is in use at this moment, in bytes: received and not released, or on its
   * way to the socket. 0 once everything is released.
   */
  public long pinnedDirectBytes() {
    return allocator.pinnedDirectMemory();
  }

  /**
   * Begins to close and never blocks. Calls that have not ended after the wait are cancelled.
   *
   * @param wait how long calls may go on
   * @return completed once connections and threads are gone; the same for each call
   */
  public CompletableFuture<Void> closeAsync(Duration wait) {
    return closer.closeAsync(wait);
  }

  /**
   * Closes and waits for the end, at most a little longer than {@link #DEFAULT_CLOSE_WAIT}. On an
   * event loop it does not wait, since it would wait for itself. An interrupt ends the wait,
   * cancels the calls, and is kept.
   */
  @Override
  public void close() {
    closer.close(DEFAULT_CLOSE_WAIT);
  }
}
