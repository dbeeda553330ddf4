// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.RangeResult;

/**
 * Who waits for a range. Thread-safe; all but {@link #isAbandoned} are called on the callback
 * executor, never on a loop.
 */
public interface RangeCompletion {

  /** Whether the user gave the range up: nothing must be written to its destination any more. */
  boolean isAbandoned();

  /**
   * The range is delivered.
   *
   * @return whether the result reached somebody: false if the range was given up at the last moment
   */
  boolean succeed(RangeResult result);

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
