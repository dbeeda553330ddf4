// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The bucket, the object or the generation asked for does not exist, or may not be seen. Immutable.
 *
 * <p>What to do: check the names; a generation may have been replaced or deleted.
 */
public final class ObjectNotFoundException extends SessionException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public ObjectNotFoundException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
