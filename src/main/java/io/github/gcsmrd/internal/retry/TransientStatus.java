// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.retry;

import io.github.gcsmrd.StatusCode;

/** Tells which failures of a stream may go away by asking again. Stateless and thread-safe. */
public final class TransientStatus {
  private TransientStatus() {}

  /**
   * Judges the status with which a stream ended while something was pending.
   *
   * @param code the status
   * @param onceOpen whether the stream had answered before
   */
  public static boolean isTransient(StatusCode code, boolean onceOpen) {
    return switch (code) {
      case UNAVAILABLE, INTERNAL, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED -> true;
      // The server may end a stream at will; none of these says that the ranges are done.
      case OK, CANCELLED, UNKNOWN -> true;
      // While opening, ABORTED without a redirect says that the open can't succeed.
      case ABORTED -> onceOpen;
      case INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          UNIMPLEMENTED,
          DATA_LOSS,
          UNAUTHENTICATED ->
          false;
    };
  }
}
