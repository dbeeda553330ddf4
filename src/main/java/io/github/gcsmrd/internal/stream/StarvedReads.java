// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ranges that can't be asked for since other slow destinations of the client hold all the memory
 * there is for them: each waits for a limited time. Confined to the loop.
 */
final class StarvedReads {
  private final Loop loop;
  private final long limitNanos;
  private final BiConsumer<RangeRead, RangeFailure> fail;

  /** Since when each waits; the one that waits longest comes first, since all have one limit. */
  private final Map<RangeRead, Long> sinceNanos = new LinkedHashMap<>();

  private Loop.@Nullable Timer timer;

  /**
   * Nobody waits.
   *
   * @param loop keeps the time
   * @param limitNanos how long each may wait
   * @param fail ends one that has waited that long
   */
  StarvedReads(Loop loop, long limitNanos, BiConsumer<RangeRead, RangeFailure> fail) {
    this.loop = loop;
    this.limitNanos = limitNanos;
    this.fail = fail;
  }

  /** A range begins to wait, or ceases to. */
  void note(RangeRead read, boolean waits) {
    if (waits) {
      sinceNanos.put(read, loop.now());
      if (timer == null) {
        timer = loop.schedule(this::check, limitNanos);
      }
    } else {
      sinceNanos.remove(read);
      if (sinceNanos.isEmpty()) {
        cancelTimer();
      }
    }
  }

  private void check() {
    timer = null;
    long now = loop.now();
    for (RangeRead read : sinceNanos.keySet().toArray(new RangeRead[0])) {
      Long since = sinceNanos.get(read);
      if (since == null || now - since < limitNanos) {
        continue;
      }
      if (read.state() == RangeRead.State.PAUSED) {
        fail.accept(read, new RangeFailure.TimedOut(text()));
      } else {
        // There may be memory for it: it is its stream that it waits for.
        sinceNanos.remove(read);
        sinceNanos.put(read, now);
      }
    }
    Iterator<Long> left = sinceNanos.values().iterator();
    if (left.hasNext()) {
      timer = loop.schedule(this::check, left.next() + limitNanos - now);
    }
  }

  private String text() {
    return "for "
        + limitNanos / 1e9
        + " s other slow sinks and subscribers of the client held all of its sinkMemoryBytes";
  }

  private void cancelTimer() {
    Loop.Timer set = timer;
    timer = null;
    if (set != null) {
      set.cancel();
    }
  }
}
