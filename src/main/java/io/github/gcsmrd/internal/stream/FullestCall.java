// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.ArrivalLane;

/**
 * How many chunks the call holds that holds most of them: what bounds the next request for
 * messages. Confined to the loop.
 */
final class FullestCall {
  /** How many calls hold so many; those that hold none aren't counted. */
  private final int[] calls = new int[ArrivalLane.MAX_HELD + 1];

  private int chunks;

  /** A call holds another number of chunks; returns whether the maximum is another by that. */
  boolean changes(int before, int now) {
    calls[before]--;
    calls[now]++;
    int most = Math.max(chunks, now);
    while (most > 0 && calls[most] == 0) {
      most--;
    }
    boolean changes = most != chunks;
    chunks = most;
    return changes;
  }

  int chunks() {
    return chunks;
  }
}
