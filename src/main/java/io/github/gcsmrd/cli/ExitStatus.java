// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.GenerationChangedException;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.PreconditionFailedException;
import io.github.gcsmrd.RangeTimeoutException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the process tells its caller. Immutable. */
enum ExitStatus {
  OK(0, "everything was read"),
  FAILED(1, "another failure: a range beyond the end, a file that can't be written"),
  USAGE(2, "a bad argument"),
  NOT_FOUND(3, "no such bucket, object or generation"),
  ACCESS(4, "no permission, or no credentials"),
  NETWORK(5, "no connection, retries given up, or time ran out"),
  CORRUPT(6, "the data did not match their checksums"),
  PRECONDITION(7, "a precondition failed, or the object was replaced while it was read"),
  INTERRUPTED(130, "interrupted");

  private final int code;
  private final String meaning;

  ExitStatus(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The number that the shell sees. */
  int code() {
    return code;
  }

  /** The table for the help: number to meaning. */
  static Map<String, String> table() {
    Map<String, String> table = new LinkedHashMap<>();
    for (ExitStatus status : values()) {
      table.put(Integer.toString(status.code), status.meaning);
    }
    return table;
  }

  /** The status for a failure without wrappers, see {@link Failures#root}. */
  static ExitStatus of(Throwable failure) {
    if (failure instanceof CommandFailure refused) {
      return refused.status();
    }
    if (failure instanceof ObjectNotFoundException) {
      return NOT_FOUND;
    }
    if (failure instanceof AccessDeniedException) {
      return ACCESS;
    }
    if (failure instanceof DataCorruptionException) {
      return CORRUPT;
    }
    if (failure instanceof PreconditionFailedException
        || failure instanceof GenerationChangedException) {
      return PRECONDITION;
    }
    if (failure instanceof RangeTimeoutException) {
      return NETWORK;
    }
    if (failure instanceof InterruptedException) {
      return INTERRUPTED;
    }
    return failure instanceof GcsException gcs ? ofStatus(gcs) : FAILED;
  }

  /** What is left of the library's failures: transient ones were tried until that was given up. */
  private static ExitStatus ofStatus(GcsException failure) {
    return switch (failure.status()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL, ABORTED -> NETWORK;
      case NOT_FOUND -> NOT_FOUND;
      case PERMISSION_DENIED, UNAUTHENTICATED -> ACCESS;
      case DATA_LOSS -> CORRUPT;
      case FAILED_PRECONDITION -> PRECONDITION;
      default -> FAILED;
    };
  }
}
