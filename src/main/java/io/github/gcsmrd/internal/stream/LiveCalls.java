// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.ReadCall;
import java.util.HashMap;
import java.util.Map;

/**
 * The calls of which ranges are at a session that is one of several. Confined to the loop.
 *
 * <p>Ranges of one call may come at different times, after the open or from other streams. They are
 * one call here nevertheless: with one order of arrival, and one share of what it may hold.
 */
final class LiveCalls {
  private final Map<ReadCall, ReadCall> byRoot = new HashMap<>();

  /** The call that the ranges of a part belong to from now on: perhaps the part itself. */
  ReadCall join(ReadCall part) {
    if (!part.isPart()) {
      return part;
    }
    ReadCall live = byRoot.putIfAbsent(part.root(), part);
    if (live == null) {
      return part;
    }
    live.take(part);
    return live;
  }

  /** A call has ended, or its time has: nothing joins it any more. */
  void leave(ReadCall call) {
    byRoot.remove(call.root(), call);
  }
}
