// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The session or its client was closed before the range ended. Immutable.
 *
 * <p>What to do: nothing, if the close was meant; results delivered earlier stay valid.
 */
public final class SessionClosedException extends SessionException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public SessionClosedException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
