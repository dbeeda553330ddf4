// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What waits for the first open of a set of streams, beyond what travels with it: it may be shared
 * out a round trip later. Confined to the home loop.
 */
final class Backlog {
  private final Loop home;
  private final Consumer<List<RangeRead>> place;
  private final Set<RangeRead> waiting = new LinkedHashSet<>();
  private final List<Loop.Timer> timers = new ArrayList<>();
  private int sentWithOpen;

  /**
   * Nothing waits.
   *
   * @param place gives ranges to a stream
   */
  Backlog(Loop home, Consumer<List<RangeRead>> place) {
    this.home = home;
    this.place = place;
  }

  /** Takes a call: its first ranges go with the open, if there is room. */
  void accept(ReadCall call) {
    List<RangeRead> reads = call.reads();
    int room = SessionLimits.RANGES_PER_MESSAGE - sentWithOpen;
    int now = Math.min(room, reads.size());
    sentWithOpen += now;
    place.accept(reads.subList(0, now));
    List<RangeRead> rest = reads.subList(now, reads.size());
    waiting.addAll(rest);
    if (!rest.isEmpty() && call.timeoutNanos() != ReadCall.NO_TIMEOUT) {
      timers.add(home.schedule(() -> send(rest), call.timeoutNanos()));
    }
  }

  /** Sends those ranges of some that wait here: their end is somebody else's to see to. */
  void send(List<RangeRead> reads) {
    List<RangeRead> sent = new ArrayList<>();
    for (RangeRead read : reads) {
      if (waiting.remove(read)) {
        sent.add(read);
      }
    }
    place.accept(sent);
  }

  /** The open has ended, one way or another: sends everything. */
  void end() {
    timers.forEach(Loop.Timer::cancel);
    timers.clear();
    List<RangeRead> left = List.copyOf(waiting);
    waiting.clear();
    place.accept(left);
  }
}
