// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.List;

/**
 * Whoever has a session among others of the same object, each with a stream of its own. Called on
 * the loop of that session.
 */
public interface StreamHost {
  /** A session that is alone. */
  StreamHost ALONE = new StreamHost() {};

  /** The object is open on this stream. */
  default void learned(ObjectInfo info) {}

  /** The stream's health may be another. */
  default void health(StreamHealth health) {}

  /** A range ended here, or was handed over. */
  default void left(RangeRead read) {}

  /**
   * Whether another stream can read what can't be read here.
   *
   * @param atWorst how its health may be
   */
  default boolean canTakeOver(StreamHealth atWorst) {
    return false;
  }

  /** Takes ranges over; they are at nobody's meanwhile. */
  default void takeOver(List<RangeRead> reads) {}
}
