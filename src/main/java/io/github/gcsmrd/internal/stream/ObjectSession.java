// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ReadHandle;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import java.util.Optional;

/** One open object, over one stream or several. Thread-safe. */
public interface ObjectSession {
  /** Begins to open the object. */
  void start();

  /**
   * Takes the ranges of a call; each ends exactly once, whatever happens.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop was shut down; nothing was
   *     taken
   */
  void submit(ReadCall call);

  /** Gives a range up; it ends as cancelled if it hasn't ended. */
  void abandon(RangeRead read);

  /** Closes: fails what pends, ends the streams. Does nothing the second time. */
  void close(String reason);

  /** The newest read handle, if the service gave one. */
  Optional<ReadHandle> readHandle();

  /** The loop that confines destinations whose user code takes its time. */
  Loop loop();
}
