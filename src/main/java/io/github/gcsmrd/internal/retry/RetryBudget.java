// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.retry;

import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What failed since the last delivered byte of any range, against the policy's limits. Confined to
 * the loop of its connector.
 */
public final class RetryBudget {
  /** More earlier failures than this are not kept: each is a part of the last error's text. */
  private static final int MAX_HISTORY = 8;

  private final RetryPolicy policy;
  private final List<EarlierFailure> history = new ArrayList<>();
  private int attempts;
  private long firstFailureNanos;
  private int redirects;

  /** A budget that nothing was taken from. */
  public RetryBudget(RetryPolicy policy) {
    this.policy = policy;
  }

  /** Bytes were delivered or a range ended: everything counts from here. */
  public void progress() {
    if (attempts != 0 || redirects != 0) {
      attempts = 0;
      redirects = 0;
      history.clear();
    }
  }

  /**
   * Counts a failure and asks the policy.
   *
   * @param code the status
   * @param transientFailure whether asking again may help
   * @param description the status' text
   * @param nowNanos the time
   */
  public RetryPolicy.Verdict failed(
      StatusCode code, boolean transientFailure, String description, long nowNanos) {
    if (attempts == 0) {
      firstFailureNanos = nowNanos;
    }
    attempts++;
    Duration elapsed = elapsed(nowNanos);
    RetryPolicy.Verdict verdict =
        policy.onFailure(new RetryPolicy.Query(attempts, elapsed, code, transientFailure));
    if (verdict instanceof RetryPolicy.Verdict.Continue && history.size() < MAX_HISTORY) {
      history.add(new EarlierFailure(attempts, elapsed, code, description));
    }
    return verdict;
  }

  /**
   * Counts a redirect.
   *
   * @return whether it may be followed
   */
  public boolean redirected(int limit) {
    return ++redirects <= limit;
  }

  /** Failures since the last progress. */
  public int attempts() {
    return attempts;
  }

  /** The time since the first of them. */
  public Duration elapsed(long nowNanos) {
    return attempts == 0 ? Duration.ZERO : Duration.ofNanos(nowNanos - firstFailureNanos);
  }

  /** The failures that were retried, oldest first. */
  public List<EarlierFailure> history() {
    return List.copyOf(history);
  }
}
