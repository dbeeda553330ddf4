// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.retry.ExponentialRetryPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * Decides whether a stream that broke is opened again. Implementations must be thread-safe and
 * quick: they are called on an event loop, once for each failure.
 *
 * <p>Redirects don't come here (they are followed at once, a few in a row), nor do failures of a
 * single range. Attempts and time count since the last delivered byte of any range of the session,
 * not since its start: a long healthy transfer never uses up its budget.
 */
@FunctionalInterface
public interface RetryPolicy {

  /**
   * Decides what follows a failure.
   *
   * @param query what failed; further properties may be added to it
   * @return what to do; null, as anything that it throws, ends the session
   */
  Verdict onFailure(Query query);

  /**
   * Returns the default policy: delays of 1 s, doubled up to 30 s, each a random part of it (full
   * jitter); at most 5 attempts and 120 s without progress. Transient failures are retried, others
   * are permanent.
   *
   * @return the policy
   */
  static RetryPolicy exponential() {
    return new Builder().build();
  }

  /**
   * Returns a builder of such a policy with other numbers.
   *
   * @return a builder that holds the defaults
   */
  static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the policy that never retries: a transient failure is exhausted at once.
   *
   * @return the policy
   */
  static RetryPolicy never() {
    return query ->
        query.isTransient() ? new Verdict.Exhausted("retries are off") : new Verdict.Permanent();
  }

  /** What to do about a failure. */
  sealed interface Verdict {
    /**
     * Open again.
     *
     * @param delay how long to wait first, zero or more
     */
    record Continue(Duration delay) implements Verdict {
      /** Checks the delay. */
      public Continue {
        Objects.requireNonNull(delay, "delay");
        if (delay.isNegative()) {
          throw new IllegalArgumentException("delay is negative: " + delay);
        }
      }
    }

    /**
     * Give up: the failure is transient but the limits are reached.
     *
     * @param limit which limit, for the error's text
     */
    record Exhausted(String limit) implements Verdict {
      /** Checks that it is not null. */
      public Exhausted {
        Objects.requireNonNull(limit, "limit");
      }
    }

    /** Give up: asking again does not help. */
    record Permanent() implements Verdict {}
  }

  /** A failure to be judged. Immutable. */
  final class Query {
    private final int attempts;
    private final Duration elapsed;
    private final StatusCode status;
    private final boolean transientFailure;

    /**
     * Makes a query; for tests of policies.
     *
     * @param attempts opens since the last delivered byte, the failed one included
     * @param elapsed the time since the first failure after the last delivered byte
     * @param status the status of the failure
     * @param transientFailure whether the library takes it for transient
     */
    public Query(int attempts, Duration elapsed, StatusCode status, boolean transientFailure) {
      this.attempts = attempts;
      this.elapsed = Objects.requireNonNull(elapsed, "elapsed");
      this.status = Objects.requireNonNull(status, "status");
      this.transientFailure = transientFailure;
    }

    /**
     * Returns how often a stream was opened since the last delivered byte.
     *
     * @return 1 or more, the failed one included
     */
    public int attempts() {
      return attempts;
    }

    /**
     * Returns the time since the first failure after the last delivered byte.
     *
     * @return zero for the first failure
     */
    public Duration elapsed() {
      return elapsed;
    }

    /**
     * Returns the status of the failure.
     *
     * @return the service's status or the one that fits best
     */
    public StatusCode status() {
      return status;
    }

    /**
     * Returns whether asking again may help, by the rules of this library.
     *
     * @return true for UNAVAILABLE, INTERNAL, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED by the service,
     *     ABORTED once the stream was open, and OK, CANCELLED or UNKNOWN by the service while
     *     ranges wait
     */
    public boolean isTransient() {
      return transientFailure;
    }

    @Override
    public String toString() {
      return "Query["
          + status
          + ", attempt "
          + attempts
          + ", "
          + elapsed
          + ", transient "
          + transientFailure
          + "]";
    }
  }

  /** Builds an exponential policy; not thread-safe. */
  final class Builder {
    private Duration initialDelay = Duration.ofSeconds(1);
    private Duration maxDelay = Duration.ofSeconds(30);
    private Duration maxElapsed = Duration.ofMinutes(2);
    private int maxAttempts = 5;
    private boolean jitter = true;

    private Builder() {}

    /**
     * Sets the bound of the first delay.
     *
     * @param delay 1 s by default
     * @return this builder
     */
    public Builder initialDelay(Duration delay) {
      this.initialDelay = Checks.positive(delay, "initialDelay");
      return this;
    }

    /**
     * Sets the bound of all delays.
     *
     * @param delay 30 s by default
     * @return this builder
     */
    public Builder maxDelay(Duration delay) {
      this.maxDelay = Checks.positive(delay, "maxDelay");
      return this;
    }

    /**
     * Sets how long it is tried without progress.
     *
     * @param elapsed 120 s by default
     * @return this builder
     */
    public Builder maxElapsed(Duration elapsed) {
      this.maxElapsed = Checks.positive(elapsed, "maxElapsed");
      return this;
    }

    /**
     * Sets how many opens in a row may fail without progress.
     *
     * @param attempts 1 or more, 5 by default
     * @return this builder
     */
    public Builder maxAttempts(int attempts) {
      this.maxAttempts = Checks.inRange(attempts, 1, Integer.MAX_VALUE, "maxAttempts");
      return this;
    }

    /**
     * Sets whether a delay is a random part of its bound.
     *
     * @param jitter true by default, so that many clients don't come back together
     * @return this builder
     */
    public Builder jitter(boolean jitter) {
      this.jitter = jitter;
      return this;
    }

    /**
     * Returns the policy.
     *
     * @return an immutable policy
     * @throws IllegalArgumentException if initialDelay is more than maxDelay
     */
    public RetryPolicy build() {
      if (initialDelay.compareTo(maxDelay) > 0) {
        throw new IllegalArgumentException(
            "initialDelay " + initialDelay + " is more than maxDelay " + maxDelay);
      }
      return new ExponentialRetryPolicy(initialDelay, maxDelay, maxAttempts, maxElapsed, jitter);
    }
  }
}
