// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The scripts of the server's streams and ranges. Thread-safe: all methods hold its monitor. */
final class Scripts {
  private final Map<Integer, StreamScript> byOrdinal = new HashMap<>();
  private final ArrayDeque<StreamScript> next = new ArrayDeque<>();
  private final List<RangeRule> rangeRules = new ArrayList<>();
  private StreamScript every = StreamScript.nothing();

  synchronized void onStream(int ordinal, StreamScript script) {
    byOrdinal.put(ordinal, script);
  }

  synchronized void onNextStream(StreamScript script) {
    next.add(script);
  }

  synchronized void onEveryStream(StreamScript script) {
    every = script;
  }

  synchronized void onRange(RangeMatch match, RangeScript script) {
    rangeRules.add(new RangeRule(match, script));
  }

  synchronized void clear() {
    byOrdinal.clear();
    next.clear();
    rangeRules.clear();
    every = StreamScript.nothing();
  }

  /** Returns the script of a new stream: by its ordinal, else the next one, else every one's. */
  synchronized StreamScript stream(int ordinal) {
    StreamScript own = byOrdinal.get(ordinal);
    if (own != null) {
      return own;
    }
    StreamScript queued = next.poll();
    return queued != null ? queued : every;
  }

  /** Returns the script of a new range: the first rule that matches and isn't used up. */
  synchronized Optional<RangeScript> range(int stream, int ordinal, long askedOffset) {
    for (Iterator<RangeRule> rules = rangeRules.iterator(); rules.hasNext(); ) {
      RangeRule rule = rules.next();
      if (rule.match.matches(stream, ordinal, askedOffset)) {
        if (--rule.left == 0) {
          rules.remove();
        }
        return Optional.of(rule.script);
      }
    }
    return Optional.empty();
  }

  /** A rule with how often it still applies; a negative number never gets to 0. */
  private static final class RangeRule {
    private final RangeMatch match;
    private final RangeScript script;
    private long left;

    RangeRule(RangeMatch match, RangeScript script) {
      this.match = match;
      this.script = script;
      left = match.limit();
    }
  }
}
