// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.RangeRead.State;
import org.jspecify.annotations.Nullable;

/** The ranges that have all their bytes and only wait for their sinks. Confined to the loop. */
final class Draining {
  private int count;
  private @Nullable Runnable whenNone;

  /** A range is delivered, and its sink is not done with it. */
  void begins(RangeRead read) {
    if (read.state() != State.DRAINING) {
      count++;
      read.become(State.DRAINING);
    }
    read.destination().returnCredit();
  }

  /** A range is about to leave whatever state it is in. */
  void leaves(RangeRead read) {
    count -= read.state() == State.DRAINING ? 1 : 0;
  }

  /** Runs a task once there is none; at once if there is none now. */
  void whenNone(Runnable then) {
    whenNone = then;
    tell();
  }

  /** Runs what waits for that, if there is none. */
  void tell() {
    Runnable then = whenNone;
    if (then != null && count == 0) {
      whenNone = null;
      then.run();
    }
  }
}
