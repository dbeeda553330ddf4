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

  /** An array is known to be serializable. */
  private final RangeOutcome[] outcomes;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words, before what is said of the first failure
   */
  DownloadException(
      String what, FailureContext context, List<RangeOutcome> outcomes, Throwable firstFailure) {
    super(context, what + message(firstFailure, context), firstFailure);
    this.outcomes = outcomes.toArray(RangeOutcome[]::new);
  }

  /** The facts once: those of the first failure say more. */
  private static String message(Throwable firstFailure, FailureContext context) {
    return firstFailure instanceof GcsException
        ? String.valueOf(firstFailure.getMessage())
        : firstFailure + " (" + context.describe() + ")";
  }

  /**
   * Returns how each range ended, in the order asked. Results have no bytes if this exception was
   * serialized.
   *
   * @return one outcome for each range
   */
  public List<RangeOutcome> outcomes() {
    return List.of(outcomes);
  }
}
