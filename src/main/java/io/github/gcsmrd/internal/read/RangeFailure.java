// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.retry.EarlierFailure;
import java.time.Duration;
import java.util.List;

/** Why one range fails, before the facts around it are known. Immutable. */
public sealed interface RangeFailure {

  /** The caller's sink or allocator threw; the range fails with that exception. */
  record UserCode(Throwable thrown) implements RangeFailure {}

  /** The destination takes no more. */
  record Overflow(String message) implements RangeFailure {}

  /** All bytes were delivered, but together they do not match the object's checksum. */
  record WholeMismatch(int expectedCrc32c, int actualCrc32c) implements RangeFailure {}

  /** The answer was wrong once more than the repair budget allows. */
  record RepairsExhausted(
      ReadFault last, int attempts, Duration elapsed, List<EarlierFailure> earlier)
      implements RangeFailure {}

  /** The service refused this range. */
  record Refused(StatusCode code, String message, List<String> serverDetails)
      implements RangeFailure {}

  /** A worker failed while it hashed a chunk: not a mismatch, a fault of this process. */
  record HashFailed(Throwable thrown) implements RangeFailure {}

  /** A limit of time passed. */
  record TimedOut(String limit) implements RangeFailure {}

  /** The length of the range can't be known before it is read, but the destination needs it. */
  record LengthUnknown() implements RangeFailure {}
}
