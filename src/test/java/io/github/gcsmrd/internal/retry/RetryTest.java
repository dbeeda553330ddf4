// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.RetryPolicy.Verdict;
import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Statuses, delays and budgets. */
class RetryTest {
  private static RetryPolicy.Query query(int attempts, Duration elapsed, boolean isTransient) {
    return new RetryPolicy.Query(attempts, elapsed, StatusCode.UNAVAILABLE, isTransient);
  }

  @Test
  void everyStatusIsJudged() {
    Set<StatusCode> passing =
        EnumSet.of(
            StatusCode.UNAVAILABLE,
            StatusCode.INTERNAL,
            StatusCode.DEADLINE_EXCEEDED,
            StatusCode.RESOURCE_EXHAUSTED,
            StatusCode.OK,
            StatusCode.CANCELLED,
            StatusCode.UNKNOWN);
    for (StatusCode code : StatusCode.values()) {
      assertEquals(passing.contains(code), TransientStatus.isTransient(code, false), code::name);
      assertEquals(
          passing.contains(code) || code == StatusCode.ABORTED,
          TransientStatus.isTransient(code, true),
          code::name);
    }
  }

  @Test
  void delaysDoubleUpToTheirBound() {
    List<Long> bounds = new ArrayList<>();
    ExponentialRetryPolicy policy =
        new ExponentialRetryPolicy(
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Integer.MAX_VALUE,
            Duration.ofHours(1),
            bound -> {
              bounds.add(bound / 1_000_000_000);
              return bound / 2;
            });
    for (int attempt = 1; attempt <= 8; attempt++) {
      Verdict.Continue go =
          assertInstanceOf(
              Verdict.Continue.class, policy.onFailure(query(attempt, Duration.ZERO, true)));
      assertEquals(bounds.get(attempt - 1) * 500, go.delay().toMillis());
    }
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L), bounds);
    policy.onFailure(query(Integer.MAX_VALUE - 1, Duration.ZERO, true));
    assertEquals(30L, bounds.get(8), "no overflow");
  }

  @Test
  void theShortestAndLongestDelaysDoNotOverflow() {
    for (Duration delay : new Duration[] {Duration.ofNanos(1), Duration.ofNanos(Long.MAX_VALUE)}) {
      RetryPolicy policy =
          RetryPolicy.builder()
              .initialDelay(delay)
              .maxDelay(Duration.ofNanos(Long.MAX_VALUE))
              .maxAttempts(Integer.MAX_VALUE)
              .build();
      for (int attempt : new int[] {1, 2, 62, 63, 64, 65, 1_000_000}) {
        Verdict.Continue go =
            assertInstanceOf(
                Verdict.Continue.class, policy.onFailure(query(attempt, Duration.ZERO, true)));
        assertFalse(go.delay().isNegative());
      }
    }
  }

  @Test
  void aJitterStaysWithinItsBound() {
    RetryPolicy policy =
        RetryPolicy.builder()
            .initialDelay(Duration.ofNanos(3))
            .maxDelay(Duration.ofNanos(3))
            .maxAttempts(2)
            .build();
    for (int i = 0; i < 1_000; i++) {
      Verdict.Continue go =
          assertInstanceOf(Verdict.Continue.class, policy.onFailure(query(1, Duration.ZERO, true)));
      assertTrue(go.delay().toNanos() >= 0 && go.delay().toNanos() <= 3);
    }
  }

  @Test
  void limitsEndIt() {
    RetryPolicy policy = RetryPolicy.exponential();
    Duration justBefore = Duration.ofSeconds(120).minusNanos(1);
    assertInstanceOf(Verdict.Continue.class, policy.onFailure(query(4, justBefore, true)));
    assertInstanceOf(Verdict.Exhausted.class, policy.onFailure(query(5, Duration.ZERO, true)));
    assertInstanceOf(
        Verdict.Exhausted.class, policy.onFailure(query(1, Duration.ofSeconds(120), true)));
    assertInstanceOf(Verdict.Permanent.class, policy.onFailure(query(1, Duration.ZERO, false)));
    assertInstanceOf(
        Verdict.Exhausted.class, RetryPolicy.never().onFailure(query(1, Duration.ZERO, true)));
    assertInstanceOf(
        Verdict.Permanent.class, RetryPolicy.never().onFailure(query(1, Duration.ZERO, false)));
  }

  @Test
  void limitsAreToldInSeconds() {
    assertEquals("limit of 120 s without progress", limit(Duration.ofMinutes(2)));
    assertEquals("limit of 2 s without progress", limit(Duration.ofSeconds(2)));
    assertEquals("limit of 0.25 s without progress", limit(Duration.ofMillis(250)));
    assertEquals("limit of 0.000001 s without progress", limit(Duration.ofNanos(1_000)));
    assertEquals("limit of 3600 s without progress", limit(Duration.ofHours(1)));
  }

  private static String limit(Duration maxElapsed) {
    RetryPolicy policy = RetryPolicy.builder().maxElapsed(maxElapsed).build();
    return assertInstanceOf(Verdict.Exhausted.class, policy.onFailure(query(1, maxElapsed, true)))
        .limit();
  }

  @Test
  void wrongSettingsAreRefused() {
    RetryPolicy.Builder builder = RetryPolicy.builder().initialDelay(Duration.ofMinutes(1));
    assertThrows(IllegalArgumentException.class, builder::build);
    assertThrows(IllegalArgumentException.class, () -> builder.maxAttempts(0));
    for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
      assertThrows(IllegalArgumentException.class, () -> builder.initialDelay(wrong));
      assertThrows(IllegalArgumentException.class, () -> builder.maxDelay(wrong));
      assertThrows(IllegalArgumentException.class, () -> builder.maxElapsed(wrong));
    }
    assertThrows(IllegalArgumentException.class, () -> new Verdict.Continue(Duration.ofNanos(-1)));
    assertEquals(Duration.ZERO, new Verdict.Continue(Duration.ZERO).delay());
  }

  @Test
  void aBudgetCountsFromTheLastProgress() {
    List<RetryPolicy.Query> queries = new ArrayList<>();
    RetryBudget budget =
        new RetryBudget(
            query -> {
              queries.add(query);
              return new Verdict.Continue(Duration.ZERO);
            });
    long start = Long.MAX_VALUE - 3;
    budget.failed(StatusCode.UNAVAILABLE, true, "one", start);
    budget.failed(StatusCode.INTERNAL, false, "two", start + 10);
    assertEquals(1, queries.get(0).attempts());
    assertEquals(Duration.ZERO, queries.get(0).elapsed());
    assertEquals(2, queries.get(1).attempts());
    assertEquals(Duration.ofNanos(10), queries.get(1).elapsed());
    assertEquals(StatusCode.INTERNAL, queries.get(1).status());
    assertFalse(queries.get(1).isTransient());
    assertEquals(2, budget.history().size());
    assertEquals("attempt 1 after 0.000 s: UNAVAILABLE: one", budget.history().get(0).getMessage());
    budget.progress();
    assertEquals(0, budget.attempts());
    assertEquals(List.of(), budget.history());
    assertEquals(Duration.ZERO, budget.elapsed(start + 99));
    budget.failed(StatusCode.UNAVAILABLE, true, "", start + 100);
    assertEquals(1, queries.get(2).attempts());
    assertEquals(Duration.ZERO, queries.get(2).elapsed());
  }

  @Test
  void aBudgetKeepsAFewEarlierFailuresAndNotTheLast() {
    RetryBudget budget =
        new RetryBudget(
            query ->
                query.attempts() < 100
                    ? new Verdict.Continue(Duration.ZERO)
                    : new Verdict.Exhausted("enough"));
    for (int i = 0; i < 100; i++) {
      budget.failed(StatusCode.UNAVAILABLE, true, "", i);
    }
    assertEquals(8, budget.history().size());
    RetryBudget once = new RetryBudget(RetryPolicy.never());
    once.failed(StatusCode.UNAVAILABLE, true, "", 0);
    assertEquals(List.of(), once.history());
  }

  @Test
  void redirectsHaveABudgetOfTheirOwn() {
    RetryBudget budget = new RetryBudget(RetryPolicy.never());
    assertTrue(budget.redirected(2));
    assertTrue(budget.redirected(2));
    assertFalse(budget.redirected(2));
    assertEquals(0, budget.attempts());
    budget.progress();
    assertTrue(budget.redirected(2));
  }
}
