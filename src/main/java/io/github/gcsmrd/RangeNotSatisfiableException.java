// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * The range starts beyond the end of the object. Immutable.
 *
 * <p>What to do: compare with {@link ObjectInfo#sizeBytes()}; an object that is not finalized can
 * have grown when asked later.
 */
public final class RangeNotSatisfiableException extends RangeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public RangeNotSatisfiableException(
      String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
