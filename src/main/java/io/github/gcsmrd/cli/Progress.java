// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

/** Shows how far a transfer is. Implementations are thread-safe. */
interface Progress extends AutoCloseable {

  /** Begins to show: a bar on a terminal, a line now and then elsewhere. */
  static Progress start(Streams streams, String task) {
    return streams.terminal()
        ? new BarProgress(streams.err(), task)
        : new LineProgress(streams.err(), task, System::nanoTime);
  }

  /** Says how many bytes there will be, as soon as that is known. */
  void expect(long totalBytes);

  /** Bytes have come. */
  void add(long bytes);

  /** Ends the display. */
  @Override
  void close();
}
