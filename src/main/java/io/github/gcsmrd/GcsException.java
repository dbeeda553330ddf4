// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The base of this library's failures; each comes through a future. Immutable but for what {@link
 * Throwable} lets change.
 *
 * <p>They are of three reaches: a {@link RangeException} concerns one range, the session goes on; a
 * {@link SessionException} ends the session and every range that waits, a new session may work; a
 * {@link DownloadException} only collects the outcomes of a call. Wrong arguments are refused at
 * the call, with {@link IllegalArgumentException} or {@link NullPointerException}, and nothing is
 * sent. Failures of earlier attempts are {@link #getSuppressed() suppressed} exceptions.
 *
 * <p>They are serializable as far as their causes are, facts included.
 */
public abstract class GcsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FailureContext context;

  GcsException(String what, FailureContext context, @Nullable Throwable cause) {
    this(context, what + " (" + describe(context) + ")", cause);
  }

  /** An exception whose message has the facts already. */
  GcsException(FailureContext context, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.context = context;
  }

  private static String describe(FailureContext context) {
    return Objects.requireNonNull(context, "context").describe();
  }

  /**
   * Returns the facts: object, generation, range, bytes delivered, attempts, status. What wasn't
   * known, or is not the failure's to say, is empty; a {@link DownloadException} has the bucket,
   * the object and the bytes of all ranges that succeeded, and the rest in its outcomes.
   *
   * @return the facts
   */
  public FailureContext context() {
    return context;
  }

  /**
   * Returns the status, a short cut for {@code context().status()}.
   *
   * @return the service's status, or the one that fits best
   */
  public StatusCode status() {
    return context.status();
  }
}
