// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.concurrent.CompletableFuture;

/**
 * A client under test, connected and with its streams open. Thread-safe: streams are driven from
 * whatever thread completes their futures.
 */
interface Competitor extends AutoCloseable {
  /** In the table of results. */
  String name();

  /** The threads that receive start with this. */
  String loopThreads();

  /**
   * Reads consecutive ranges of the object, all at once.
   *
   * @param stream which of its streams
   * @param offset of the first range
   * @param rangeBytes of each
   * @param ranges how many
   * @param delivery where the bytes go
   * @return the number of bytes, once all are delivered
   */
  CompletableFuture<Long> read(
      int stream, long offset, int rangeBytes, int ranges, Delivery delivery);

  /** The memory that it holds received data in, now; 0 if it can't tell. */
  long heldBytes();

  @Override
  void close();
}
