// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import java.util.ArrayList;
import java.util.List;

/** Sends what waits on a stream, as far as that takes it. Confined to the loop. */
final class RequestSender {
  private final Loop loop;
  private final PendingReads pending;
  private final List<RangeRead> batch = new ArrayList<>(SessionLimits.RANGES_PER_MESSAGE);
  private int outstandingLimit = SessionLimits.OUTSTANDING_RANGES;

  RequestSender(Loop loop, PendingReads pending) {
    this.loop = loop;
    this.pending = pending;
  }

  /** Sends while the transport takes it; the first message goes even without ranges. */
  void flush(LiveStream live) {
    while (live.isReady()) {
      boolean idle = pending.askedCount() == 0;
      pending.ask(batch, outstandingLimit, loop.now());
      if (batch.isEmpty() && live.isSpecSent()) {
        return;
      }
      live.send(batch, idle);
      batch.clear();
    }
    if (pending.hasWaiting()) {
      live.awaitReady(pending.askedCount() == 0);
    }
  }

  /** An error about so many ranges was too large: fewer are asked for at a time. */
  void halveLimit(int ranges) {
    outstandingLimit = Math.max(1, Math.min(outstandingLimit, ranges) / 2);
  }

  /** Bytes came: as many as ever may be asked for. */
  void liftLimit() {
    outstandingLimit = SessionLimits.OUTSTANDING_RANGES;
  }
}
