// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.retry.RetryBudget;
import io.github.gcsmrd.internal.retry.TransientStatus;
import io.github.gcsmrd.internal.stream.SessionFailure.Kind;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows the end of a stream. Confined to the loop; it changes nothing but the budget
 * and what it remembers of refusals.
 *
 * <p>In this order: a redirect is followed; an idle end is no failure unless it is permanent; ended
 * ranges are progress; a range error without a name is tracked down; credentials are renewed once,
 * a refused handle is dropped once; the rest is up to the retry policy.
 */
final class EndJudge {
  /** As long as for ever, and clocks can add it without overflow. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  /** Causes can form a circle. */
  private static final int MAX_CAUSES = 20;

  /** Some messages hold a dump of what was received. */
  private static final int MAX_CAUSE_CHARS = 160;

  private final ObjectPin pin;
  private final RetryBudget budget;
  private final SessionLimits limits;
  private final boolean renewable;
  private boolean renewed;

  /** The end that credentials were renewed for last. */
  private @Nullable EndedStream lastRefused;

  /**
   * A judge who remembers nothing.
   *
   * @param renewable whether the calls carry credentials that can be renewed
   */
  EndJudge(ObjectPin pin, RetryBudget budget, SessionLimits limits, boolean renewable) {
    this.pin = pin;
    this.budget = budget;
    this.limits = limits;
    this.renewable = renewable;
  }

  /** Bytes were delivered or a range ended well. */
  void progress() {
    budget.progress();
    renewed = false;
  }

  /** Nobody waits for anything: what failed up to here is no concern of who comes next. */
  void idle() {
    progress();
  }

  /** Judges an end. */
  EndVerdict judge(EndedStream ended, long nowNanos) {
    StreamEnd end = ended.end();
    if (ended.answered() && end.code() != StatusCode.UNAUTHENTICATED) {
      // The credentials were good: if they are refused again, they have grown old meanwhile.
      renewed = false;
    }
    if (end.detail() instanceof StreamEnd.Redirect) {
      return redirect(ended, nowNanos);
    }
    if (!ended.pending()) {
      return idle(ended, nowNanos);
    }
    if (ended.failedRanges() > 0) {
      progress();
      return new EndVerdict.ReopenNow();
    }
    if (end.code() == StatusCode.OUT_OF_RANGE && ended.askedRanges() > 0) {
      return new EndVerdict.TryOneByOne();
    }
    if (end.origin() == Origin.METADATA_TOO_LARGE && ended.askedRanges() > 1) {
      return new EndVerdict.AskForHalf();
    }
    if (end.code() == StatusCode.UNAUTHENTICATED && renewable && (!renewed || ended.answered())) {
      return renew(ended, nowNanos);
    }
    if (refusesHandle(ended) && pin.dropHandle()) {
      return new EndVerdict.ReopenNow();
    }
    return retry(ended, isTransient(ended), nowNanos);
  }

  private EndVerdict redirect(EndedStream ended, long nowNanos) {
    if (!ended.pending()) {
      idle();
      return new EndVerdict.GoIdle();
    }
    if (budget.redirected(limits.maxRedirects())) {
      return new EndVerdict.ReopenNow();
    }
    String what = "redirected more than " + limits.maxRedirects() + " times without a byte";
    return new EndVerdict.FailSession(failure(what, ended.end(), nowNanos));
  }

  /**
   * An idle stream may end at the server's will; only what would fail any open ends the session.
   */
  private EndVerdict idle(EndedStream ended, long nowNanos) {
    StatusCode code = ended.end().code();
    boolean permanent =
        switch (code) {
          case UNAUTHENTICATED -> !renewable;
          case ABORTED -> false;
          default -> !isTransient(ended);
        };
    if (permanent && refusesHandle(ended) && pin.dropHandle()) {
      permanent = false;
    }
    if (permanent && ended.failedRanges() == 0) {
      return new EndVerdict.FailSession(failure("the stream failed", ended.end(), nowNanos));
    }
    idle();
    return new EndVerdict.GoIdle();
  }

  private static boolean isTransient(EndedStream ended) {
    StreamEnd end = ended.end();
    return end.origin() != Origin.MESSAGE_TOO_LARGE
        && end.origin() != Origin.UNTRUSTED_SERVER
        && (isAboutRanges(end) || TransientStatus.isTransient(end.code(), ended.answered()));
  }

  /**
   * Whether the server failed the stream for some of its ranges: those that are left had no part in
   * it, such as when the range was cancelled meanwhile.
   */
  private static boolean isAboutRanges(StreamEnd end) {
    return end.code() == StatusCode.OUT_OF_RANGE
        || (end.detail() instanceof StreamEnd.RangeErrors errors
            && errors.errors().stream().anyMatch(error -> error.code() != StatusCode.OK));
  }

  /**
   * The first renewal is free. Later ones without progress are for a stream that was answered, so
   * that they help for a while; they count as failures, since that may go on for ever.
   */
  private EndVerdict renew(EndedStream ended, long nowNanos) {
    lastRefused = ended;
    if (!renewed) {
      renewed = true;
      return new EndVerdict.RenewCredentials(0);
    }
    EndVerdict verdict = retry(ended, true, nowNanos);
    return verdict instanceof EndVerdict.ReopenAfter reopen
        ? new EndVerdict.RenewCredentials(reopen.delayNanos())
        : verdict;
  }

  /** The renewal that was the last verdict failed: that may pass, within the budget. */
  EndVerdict renewalFailed(long nowNanos) {
    EndedStream refused = lastRefused;
    if (refused == null) {
      throw new IllegalStateException("no renewal was asked for");
    }
    renewed = false;
    return retry(refused, true, nowNanos);
  }

  /** Whether an open may have been refused because of its handle. */
  private static boolean refusesHandle(EndedStream ended) {
    return ended.openedWithHandle()
        && !ended.answered()
        && switch (ended.end().code()) {
          case NOT_FOUND, INVALID_ARGUMENT, FAILED_PRECONDITION, PERMISSION_DENIED, ABORTED -> true;
          default -> false;
        };
  }

  private EndVerdict retry(EndedStream ended, boolean transientFailure, long nowNanos) {
    StreamEnd end = ended.end();
    RetryPolicy.Verdict verdict;
    try {
      verdict = budget.failed(end.code(), transientFailure, end.description(), nowNanos);
    } catch (RuntimeException | Error thrown) {
      return new EndVerdict.FailSession(
          failure("the RetryPolicy threw " + thrown, end, nowNanos).causedBy(thrown));
    }
    if (verdict == null) {
      return new EndVerdict.FailSession(
          failure("the RetryPolicy returned null, not a Verdict", end, nowNanos));
    }
    if (verdict instanceof RetryPolicy.Verdict.Continue go) {
      return new EndVerdict.ReopenAfter(nanos(go.delay()));
    }
    String what = ended.answered() ? "the stream failed" : "the open failed";
    if (verdict instanceof RetryPolicy.Verdict.Exhausted exhausted) {
      what += ", retries ended by the " + exhausted.limit();
    }
    return new EndVerdict.FailSession(failure(what, end, nowNanos));
  }

  private static long nanos(Duration delay) {
    return delay.compareTo(LONGEST_DELAY) < 0 ? delay.toNanos() : LONGEST_DELAY.toNanos();
  }

  private SessionFailure failure(String what, StreamEnd end, long nowNanos) {
    String text = describe(what, end);
    return new SessionFailure(
        Kind.STATUS,
        end.code() == StatusCode.OK ? text + ": the server ended it with ranges pending" : text,
        end.code() == StatusCode.OK ? StatusCode.UNAVAILABLE : end.code(),
        Math.max(1, budget.attempts()),
        budget.elapsed(nowNanos),
        end.otherDetails(),
        budget.history(),
        end.cause());
  }

  /**
   * The status' text and that of the innermost cause: gRPC calls a refused connection "io
   * exception", and exceptions around a cause say what they are, not what happened.
   */
  private static String describe(String what, StreamEnd end) {
    String text = end.description().isEmpty() ? what : what + ": " + end.description();
    String cause = innermostMessage(end.cause());
    return cause.isEmpty() || text.contains(cause) ? text : text + ": " + cause;
  }

  private static String innermostMessage(@Nullable Throwable cause) {
    String message = "";
    Throwable at = cause;
    for (int depth = 0; at != null && depth < MAX_CAUSES; depth++) {
      message = at.getMessage() == null || at.getMessage().isBlank() ? message : at.getMessage();
      at = at.getCause();
    }
    String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
    return line.length() <= MAX_CAUSE_CHARS ? line : line.substring(0, MAX_CAUSE_CHARS) + "...";
  }
}
