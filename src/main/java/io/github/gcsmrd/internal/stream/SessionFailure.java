// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.retry.EarlierFailure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a session ended for good. Immutable; every range that waits gets an exception of its own made
 * of it.
 *
 * @param kind what it means to the caller
 * @param what in words
 * @param status the status
 * @param attempts failures in a row
 * @param elapsed the time since the first of them
 * @param serverDetails what else the server said
 * @param earlier the failures that were retried
 * @param cause the exception below, if any
 */
record SessionFailure(
    Kind kind,
    String what,
    StatusCode status,
    int attempts,
    Duration elapsed,
    List<String> serverDetails,
    List<EarlierFailure> earlier,
    @Nullable Throwable cause) {

  /** What a failure means to the caller. */
  enum Kind {
    /** The status tells. */
    STATUS,
    /** The session or the client was closed. */
    CLOSED,
    /** Another generation came. */
    GENERATION_CHANGED
  }

  static SessionFailure closed(String what) {
    return of(Kind.CLOSED, what, StatusCode.CANCELLED);
  }

  static SessionFailure generationChanged(String what) {
    return of(Kind.GENERATION_CHANGED, what, StatusCode.FAILED_PRECONDITION);
  }

  /** A fault of this library: reported, not retried. */
  static SessionFailure internal(Throwable cause) {
    return new SessionFailure(
        Kind.STATUS,
        "internal error, please report it",
        StatusCode.INTERNAL,
        1,
        Duration.ZERO,
        List.of(),
        List.of(),
        cause);
  }

  /** The same failure, with the exception below. */
  SessionFailure causedBy(Throwable thrown) {
    return new SessionFailure(
        kind, what, status, attempts, elapsed, serverDetails, earlier, thrown);
  }

  private static SessionFailure of(Kind kind, String what, StatusCode status) {
    return new SessionFailure(kind, what, status, 1, Duration.ZERO, List.of(), List.of(), null);
  }
}
