// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.ManagedChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The channels of a client, so that its close finds each, also one that is opened at that moment.
 * Thread-safe.
 */
final class OpenChannels {
  private final Set<ManagedChannel> channels = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Takes in a channel; after the close it is shut down at once, and calls on it fail. */
  void add(ManagedChannel channel) {
    channels.removeIf(ManagedChannel::isTerminated);
    channels.add(channel);
    if (closed) {
      channel.shutdownNow();
    }
  }

  /** Whether the client closes: nothing new is begun. */
  boolean isClosed() {
    return closed;
  }

  /** Takes no further calls; those there are go on. */
  void shutdown() {
    closed = true;
    channels.forEach(ManagedChannel::shutdown);
  }

  /** Cancels what is left. */
  void shutdownNow() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  /**
   * Waits for the end of all, after {@link #shutdown}.
   *
   * @return false if the time passed first
   */
  boolean awaitTermination(long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    for (ManagedChannel channel : channels) {
      long left = Math.max(0, deadline - System.nanoTime());
      if (!channel.awaitTermination(left, TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }
}
