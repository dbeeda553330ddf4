// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.List;

/**
 * A call of several ranges did not wholly succeed; the cause is the range that failed first.
 * Immutable.
 *
 * <p>What to do: look at {@link #outcomes()}; what succeeded is good.
 */
public final class DownloadException extends GcsException {
  private static final long serialVersionUID = 1L;

  private final transient List<RangeOutcome> outcomes;

  DownloadException(
      String what, FailureContext context, List<RangeOutcome> outcomes, Throwable firstFailure) {
    super(what, context, firstFailure);
    this.outcomes = List.copyOf(outcomes);
  }

  /**
   * Returns how each range ended, in the order asked.
   *
   * @return one outcome for each range
   */
  public List<RangeOutcome> outcomes() {
    return outcomes;
  }
}
