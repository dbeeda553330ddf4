// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * A precondition of the session does not hold. Immutable.
 *
 * <p>What to do: fetch the new generation or metageneration and decide whether it is wanted.
 */
public final class PreconditionFailedException extends SessionException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public PreconditionFailedException(
      String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
