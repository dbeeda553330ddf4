// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.retry;

import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import java.util.Locale;

/** A failure that was retried, as a suppressed exception of the last one. Immutable, stackless. */
public final class EarlierFailure extends Exception {
  private static final long serialVersionUID = 1L;

  EarlierFailure(int attempt, Duration elapsed, StatusCode code, String description) {
    this(attempt, elapsed, code + (description.isEmpty() ? "" : ": " + description));
  }

  /** What went wrong, in words. */
  public EarlierFailure(int attempt, Duration elapsed, String what) {
    super(
        String.format(
            Locale.ROOT, "attempt %d after %.3f s: %s", attempt, elapsed.toNanos() / 1e9, what),
        null,
        false,
        false);
  }
}
