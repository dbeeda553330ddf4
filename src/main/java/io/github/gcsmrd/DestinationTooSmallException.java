// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * A range of unknown length had more bytes than its destination takes; those that fit were
 * delivered, in whole chunks. Immutable.
 *
 * <p>What to do: give a larger destination, a bounded range, or a {@link RangeSink}.
 */
public final class DestinationTooSmallException extends RangeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public DestinationTooSmallException(
      String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
