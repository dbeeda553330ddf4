// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The service ended a range before the bytes it must have by the size of the finalized object,
 * again and again. Immutable.
 *
 * <p>What to do: ask later; the bytes delivered are right.
 */
public final class IncompleteRangeException extends RangeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public IncompleteRangeException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
