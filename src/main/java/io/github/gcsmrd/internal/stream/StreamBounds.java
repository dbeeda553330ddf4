// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.ArrivalLane;
import java.time.Duration;

/**
 * How many streams a session has. Immutable.
 *
 * @param least kept open
 * @param most opened when there is so much to do
 */
public record StreamBounds(int least, int most) {
  /** More than a server's usual limit for a connection would be of no use to one object. */
  public static final int MOST = 100;

  /** One stream, as long as nobody asks for more. */
  public static final StreamBounds ONE = new StreamBounds(1, 1);

  /**
   * How long a stream that broke is left alone, if nobody waits for it, between two attempts to
   * open it: work goes elsewhere meanwhile.
   */
  static final Duration RETRY_REST = Duration.ofSeconds(5);

  /**
   * How long a stream beyond the least may have nothing to do: long enough to be found open by the
   * next batch of work, and short enough not to burden a server for nothing.
   */
  static final Duration IDLE_LIMIT = Duration.ofSeconds(60);

  /** How often that is looked at. */
  static final Duration IDLE_LOOK = Duration.ofSeconds(15);

  /** How long no further stream is opened after one could not be. */
  static final Duration REFUSAL_REST = Duration.ofSeconds(60);

  /** Each stream's share of the chunks that a call may hold. */
  public int heldChunks() {
    return Math.max(1, ArrivalLane.MAX_HELD / most);
  }
}
