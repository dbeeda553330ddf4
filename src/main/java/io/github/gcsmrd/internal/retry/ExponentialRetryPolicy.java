// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.retry;

import io.github.gcsmrd.RetryPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/** Doubles its delay from failure to failure, within limits. Immutable and thread-safe. */
public final class ExponentialRetryPolicy implements RetryPolicy {
  private final long initialDelayNanos;
  private final long maxDelayNanos;
  private final int maxAttempts;
  private final Duration maxElapsed;
  private final LongUnaryOperator spread;

  /** A policy whose delays are random up to their bound, or exactly it without jitter. */
  public ExponentialRetryPolicy(
      Duration initialDelay,
      Duration maxDelay,
      int maxAttempts,
      Duration maxElapsed,
      boolean jitter) {
    this(
        initialDelay,
        maxDelay,
        maxAttempts,
        maxElapsed,
        jitter
            ? bound -> ThreadLocalRandom.current().nextLong(bound) + 1
            : LongUnaryOperator.identity());
  }

  /**
   * A policy with a spread of its own, for tests.
   *
   * @param spread gives the delay for a bound, both in nanoseconds
   */
  ExponentialRetryPolicy(
      Duration initialDelay,
      Duration maxDelay,
      int maxAttempts,
      Duration maxElapsed,
      LongUnaryOperator spread) {
    this.initialDelayNanos = initialDelay.toNanos();
    this.maxDelayNanos = maxDelay.toNanos();
    this.maxAttempts = maxAttempts;
    this.maxElapsed = maxElapsed;
    this.spread = spread;
  }

  @Override
  public Verdict onFailure(Query query) {
    if (!query.isTransient()) {
      return new Verdict.Permanent();
    }
    if (query.attempts() >= maxAttempts) {
      return new Verdict.Exhausted("limit of " + maxAttempts + " attempts without progress");
    }
    if (query.elapsed().compareTo(maxElapsed) >= 0) {
      return new Verdict.Exhausted("limit of " + seconds(maxElapsed) + " without progress");
    }
    return new Verdict.Continue(Duration.ofNanos(spread.applyAsLong(bound(query.attempts()))));
  }

  /** The bound of the delay after the given number of attempts; saturates. */
  private long bound(int attempts) {
    int doublings = Math.min(attempts - 1, Long.numberOfLeadingZeros(initialDelayNanos) - 1);
    return Math.min(maxDelayNanos, initialDelayNanos << doublings);
  }

  /** As people write it: {@code 2 s}, {@code 0.25 s}. */
  private static String seconds(Duration duration) {
    BigDecimal seconds =
        BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
    return seconds.stripTrailingZeros().toPlainString() + " s";
  }

  @Override
  public String toString() {
    return "ExponentialRetryPolicy["
        + Duration.ofNanos(initialDelayNanos)
        + " x 2 to "
        + Duration.ofNanos(maxDelayNanos)
        + ", "
        + maxAttempts
        + " attempts, "
        + maxElapsed
        + "]";
  }
}
