// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * A range took longer than {@link DownloadOptions#timeout()} or got no byte for too long while its
 * neighbours did. Immutable.
 *
 * <p>What to do: ask for what is missing ({@code context().bytesDelivered()} tells), or wait
 * longer.
 */
public final class RangeTimeoutException extends RangeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param cause the failure below, or null
   */
  public RangeTimeoutException(String what, FailureContext context, @Nullable Throwable cause) {
    super(what, context, cause);
  }
}
