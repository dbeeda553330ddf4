// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The service refused the credentials: PERMISSION_DENIED, or UNAUTHENTICATED with a fresh token.
 * Immutable.
 *
 * <p>What to do: grant {@code storage.objects.get}, or log in again.
 */
public final class AccessDeniedException extends SessionException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public AccessDeniedException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
