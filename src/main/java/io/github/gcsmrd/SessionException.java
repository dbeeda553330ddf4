// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The session failed for good: every range that waited fails with an exception of its own and the
 * same cause, later calls too. Other sessions of the client are not concerned. Immutable.
 *
 * <p>What to do: the subclass tells. For this class itself, {@link #status()} decides: after
 * UNAVAILABLE, INTERNAL, DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED the attempts were used up, and a
 * new session may work later; others won't go away by asking again.
 */
public class SessionException extends GcsException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public SessionException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
