// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * One range failed; its session and the other ranges go on. Immutable.
 *
 * <p>What to do: the subclass tells. For this class itself, look at {@link #status()}: the service
 * failed this range alone.
 */
public class RangeException extends GcsException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public RangeException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
