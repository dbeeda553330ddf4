// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.testing.StreamScript.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream is in its script: what has happened on the stream, and which steps are left.
 * Confined to its stream.
 */
final class ScriptRun {
  private StreamScript script;
  private List<Step> left;
  private boolean opened;
  private boolean answered;
  private long bytesSent;
  private int rangesReceived;
  private int rangesFinished;

  ScriptRun(StreamScript script) {
    this.script = script;
    left = new ArrayList<>(script.steps);
  }

  StreamScript script() {
    return script;
  }

  /** Goes on with another script from its beginning, with all that has happened so far. */
  void replace(StreamScript other) {
    script = other;
    left = new ArrayList<>(other.steps);
  }

  boolean isAnswered() {
    return answered;
  }

  void opened() {
    opened = true;
  }

  void answered() {
    answered = true;
  }

  void sent(int bytes) {
    bytesSent += bytes;
  }

  void received(int ranges) {
    rangesReceived += ranges;
  }

  void finished() {
    rangesFinished++;
  }

  long bytesSent() {
    return bytesSent;
  }

  int rangesFinished() {
    return rangesFinished;
  }

  /** Whether a step's moment has come. */
  boolean hasDueStep() {
    for (int i = 0; i < left.size(); i++) {
      if (hasCome(left.get(i).when())) {
        return true;
      }
    }
    return false;
  }

  /** Takes the first step whose moment has come; null if there is none. */
  @Nullable StreamAction takeDueAction() {
    for (int i = 0; i < left.size(); i++) {
      if (hasCome(left.get(i).when())) {
        return left.remove(i).action();
      }
    }
    return null;
  }

  /** How many bytes may be sent before a step's moment comes. */
  long bytesUntilNextStep() {
    long limit = Long.MAX_VALUE;
    for (int i = 0; i < left.size(); i++) {
      if (left.get(i).when() instanceof When.Sent sent && sent.bytes() > bytesSent) {
        limit = Math.min(limit, sent.bytes() - bytesSent);
      }
    }
    return limit;
  }

  private boolean hasCome(When when) {
    if (when instanceof When.Called) {
      return true;
    } else if (when instanceof When.Opened) {
      return opened;
    } else if (when instanceof When.Answered) {
      return answered;
    } else if (when instanceof When.Sent sent) {
      return bytesSent >= sent.bytes();
    } else if (when instanceof When.RangesReceived received) {
      return rangesReceived >= received.count();
    } else {
      return rangesFinished >= ((When.RangesFinished) when).count();
    }
  }
}
