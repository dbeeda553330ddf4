// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.DestinationTooSmallException;
import io.github.gcsmrd.FailureContext;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.GenerationChangedException;
import io.github.gcsmrd.IncompleteRangeException;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.PreconditionFailedException;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeNotSatisfiableException;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.SessionException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.DestinationOverflow;
import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadFault;
import io.github.gcsmrd.internal.read.UserCodeFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes the exceptions that callers see, with the facts around each failure. Confined to the loop.
 */
final class Failures {
  private final SessionConfig config;
  private final ObjectPin pin;

  Failures(SessionConfig config, ObjectPin pin) {
    this.config = config;
    this.pin = pin;
  }

  /** The exception of a range for a failure of its session. */
  GcsException session(SessionFailure failure, RangeRead read) {
    return session(failure, Optional.of(read.range()), read.consumedBytes());
  }

  /** The exception of whoever waits for the session itself, or of a range that never started. */
  GcsException session(SessionFailure failure, Optional<ByteRange> range, long deliveredBytes) {
    FailureContext context =
        context(
            range,
            deliveredBytes,
            failure.attempts(),
            failure.elapsed(),
            failure.status(),
            failure.serverDetails());
    GcsException exception =
        switch (failure.kind()) {
          case CLOSED -> new SessionClosedException(failure.what(), context, failure.cause());
          case GENERATION_CHANGED ->
              new GenerationChangedException(failure.what(), context, failure.cause());
          case STATUS -> byStatus(failure, context);
        };
    failure.earlier().forEach(exception::addSuppressed);
    return exception;
  }

  private static GcsException byStatus(SessionFailure failure, FailureContext context) {
    return switch (failure.status()) {
      case NOT_FOUND -> new ObjectNotFoundException(failure.what(), context, failure.cause());
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          new AccessDeniedException(failure.what(), context, failure.cause());
      case FAILED_PRECONDITION ->
          new PreconditionFailedException(failure.what(), context, failure.cause());
      default -> new SessionException(failure.what(), context, failure.cause());
    };
  }

  /** The exception of a range that fails by itself. */
  Throwable range(RangeFailure failure, RangeRead read) {
    if (failure instanceof RangeFailure.UserCode userCode) {
      return userCode(userCode.thrown(), read);
    }
    if (failure instanceof RangeFailure.RepairsExhausted exhausted) {
      return repairsExhausted(exhausted, read);
    }
    if (failure instanceof RangeFailure.Refused refused) {
      return refused(refused, read);
    }
    if (failure instanceof RangeFailure.WholeMismatch mismatch) {
      return new DataCorruptionException(
          "the whole object does not match its checksum",
          context(read, 1, StatusCode.DATA_LOSS),
          0,
          mismatch.expectedCrc32c(),
          mismatch.actualCrc32c(),
          null);
    }
    if (failure instanceof RangeFailure.Overflow overflow) {
      return tooSmall(overflow.message(), read);
    }
    if (failure instanceof RangeFailure.HashFailed hashFailed) {
      return new RangeException(
          "a chunk could not be hashed",
          context(read, 1, StatusCode.INTERNAL),
          hashFailed.thrown());
    }
    if (failure instanceof RangeFailure.TimedOut timedOut) {
      return new RangeTimeoutException(
          timedOut.limit(), context(read, 1, StatusCode.DEADLINE_EXCEEDED), null);
    }
    return new RangeException(
        "the length of the range is unknown before it is read (the session was opened with a read"
            + " handle, which brings no size): give a bounded range or a sink",
        context(read, 1, StatusCode.FAILED_PRECONDITION),
        null);
  }

  /** What user code threw is its own; what is wrong with user code is for us to say. */
  private Throwable userCode(Throwable thrown, RangeRead read) {
    if (thrown instanceof UserCodeFault) {
      return new RangeException(
          String.valueOf(thrown.getMessage()), context(read, 1, StatusCode.INVALID_ARGUMENT), null);
    }
    return thrown instanceof DestinationOverflow
        ? tooSmall(String.valueOf(thrown.getMessage()), read)
        : thrown;
  }

  private DestinationTooSmallException tooSmall(String message, RangeRead read) {
    return new DestinationTooSmallException(
        message, context(read, 1, StatusCode.OUT_OF_RANGE), null);
  }

  private Throwable repairsExhausted(RangeFailure.RepairsExhausted exhausted, RangeRead read) {
    GcsException exception = repairsExhausted(exhausted, exhausted.last(), read);
    exhausted.earlier().forEach(exception::addSuppressed);
    return exception;
  }

  private GcsException repairsExhausted(
      RangeFailure.RepairsExhausted exhausted, ReadFault last, RangeRead read) {
    String what = last.describe() + ", asked for " + exhausted.attempts() + " times";
    StatusCode status =
        last instanceof ReadFault.Refused refused ? refused.code() : StatusCode.DATA_LOSS;
    FailureContext context =
        context(
            Optional.of(read.range()),
            read.consumedBytes(),
            exhausted.attempts(),
            exhausted.elapsed(),
            status,
            List.of());
    if (last instanceof ReadFault.Corrupt corrupt) {
      return new DataCorruptionException(
          what, context, corrupt.offset(), corrupt.expectedCrc32c(), corrupt.actualCrc32c(), null);
    }
    return last instanceof ReadFault.TooShort
        ? new IncompleteRangeException(what, context, null)
        : new RangeException(what, context, null);
  }

  private Throwable refused(RangeFailure.Refused refused, RangeRead read) {
    FailureContext context =
        context(
            Optional.of(read.range()),
            read.consumedBytes(),
            1,
            Duration.ZERO,
            refused.code(),
            refused.serverDetails());
    String message = refused.message().isEmpty() ? "" : ": " + refused.message();
    return refused.code() == StatusCode.OUT_OF_RANGE
        ? new RangeNotSatisfiableException(
            "the range starts beyond the end of the object" + message, context, null)
        : new RangeException("the service refused the range" + message, context, null);
  }

  private FailureContext context(RangeRead read, int attempts, StatusCode status) {
    return context(
        Optional.of(read.range()),
        read.consumedBytes(),
        attempts,
        Duration.ZERO,
        status,
        List.of());
  }

  private FailureContext context(
      Optional<ByteRange> range,
      long deliveredBytes,
      int attempts,
      Duration elapsed,
      StatusCode status,
      List<String> details) {
    return new FailureContext(
        config.bucket(),
        config.object(),
        pin.generation(),
        range,
        deliveredBytes,
        attempts,
        elapsed,
        status,
        details);
  }
}
