// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/** Where a connector is between two streams; see the drawing there. */
enum ConnectorState {
  IDLE(StreamHealth.FRESH),
  OPENING(StreamHealth.FRESH),
  OPEN(StreamHealth.OPEN),
  SETTLING(StreamHealth.FRESH),
  WAITING(StreamHealth.FRESH),
  STOPPED(StreamHealth.ENDED);

  private final StreamHealth health;

  ConnectorState(StreamHealth health) {
    this.health = health;
  }

  /** What that tells of the stream, if none broke before. */
  StreamHealth health() {
    return health;
  }
}
