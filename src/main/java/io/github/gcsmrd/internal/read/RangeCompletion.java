// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.RangeResult;

/**
 * Who waits for a range. Thread-safe; all but {@link #isAbandoned} and {@link #claim} are called on
 * the callback executor, never on a loop.
 */
public interface RangeCompletion {

  /** Whether the user gave the range up: nothing must be written to its destination any more. */
  boolean isAbandoned();

  /**
   * Everything is delivered: decides that the range succeeds. {@link #succeed} follows.
   *
   * @return false if the range was given up before; nothing follows then but its end
   */
  boolean claim();

  /** The range succeeded, as was decided. */
  void succeed(RangeResult result);

  /** The range failed. */
  void fail(Throwable failure);

  /**
   * The range has its outcome. Told after that, though perhaps while the user's code that waited
   * for it still runs.
   */
  default void ended() {}

  /** Nothing will touch the destination any more. Called once, after or without the outcome. */
  void quiet();
}
