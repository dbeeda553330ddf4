// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The service answered with another generation than the one being read. Not a byte of it was
 * delivered. Immutable.
 *
 * <p>What to do: open a new session and read again what belongs together.
 */
public final class GenerationChangedException extends SessionException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public GenerationChangedException(
      String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
