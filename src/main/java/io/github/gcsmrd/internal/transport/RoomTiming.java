// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import java.time.Duration;

/**
 * When connections are looked after. Immutable and thread-safe.
 *
 * @param look how often a call that waits looks whether its connection is full
 * @param idle how long a connection that only the server's limit of concurrent streams made is kept
 *     without a stream
 */
public record RoomTiming(Duration look, Duration idle) {
  /**
   * A connection says itself when a stream takes its last room; looking is for a limit that the
   * server lowers while a call is on its way. A second is far below every time limit, and long
   * enough to cost nothing.
   */
  public static final Duration DEFAULT_LOOK = Duration.ofSeconds(1);

  /**
   * Long enough for a burst that comes again, while a connection kept costs the server and the
   * client memory.
   */
  public static final Duration DEFAULT_IDLE = Duration.ofSeconds(60);

  /** Both defaults. */
  static final RoomTiming DEFAULT = new RoomTiming(DEFAULT_LOOK, DEFAULT_IDLE);

  /** Checks the values. */
  public RoomTiming {
    if (look.isZero() || look.isNegative() || idle.isNegative()) {
      throw new IllegalArgumentException("look " + look + " or idle " + idle + " can't be");
    }
  }
}
