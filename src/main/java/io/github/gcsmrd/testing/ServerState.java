// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** What all streams of a server share. Thread-safe. */
final class ServerState {
  final ObjectStore store = new ObjectStore();
  final Scripts scripts = new Scripts();
  final Traffic traffic = new Traffic();
  final Connections connections = new Connections();

  /** The streams that have not ended, by ordinal. */
  final Map<Integer, LiveStream> live = new ConcurrentHashMap<>();

  final int chunkBytes;
  final Duration latency;
  final Executor executor;

  private volatile Optional<String> requiredToken = Optional.empty();

  ServerState(int chunkBytes, Duration latency, Executor executor) {
    this.chunkBytes = chunkBytes;
    this.latency = latency;
    this.executor = executor;
  }

  Optional<String> requiredToken() {
    return requiredToken;
  }

  void requireToken(Optional<String> token) {
    requiredToken = token;
  }

  /**
   * A stream as others reach it.
   *
   * @param executor runs what touches the engine
   * @param engine confined to the executor
   */
  record LiveStream(SerialExecutor executor, StreamEngine engine) {}
}
