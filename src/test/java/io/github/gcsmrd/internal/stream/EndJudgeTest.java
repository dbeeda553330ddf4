// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.retry.RetryBudget;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndJudgeTest {
  private static final StreamEnd REDIRECT =
      FakeCall.withDetail(
          StatusCode.ABORTED, new StreamEnd.Redirect(Optional.empty(), Optional.empty()));

  private EndJudge judge = judge(SessionFixture.config(), false);

  private static EndJudge judge(SessionConfig config, boolean renewable) {
    return new EndJudge(
        new ObjectPin(config, Optional.empty()),
        new RetryBudget(config.retryPolicy()),
        config.limits(),
        renewable);
  }

  private static StreamEnd end(StatusCode code) {
    return FakeCall.status(code, "text", Origin.SERVER);
  }

  private static StreamEnd end(StatusCode code, Origin origin) {
    return FakeCall.status(code, "text", origin);
  }

  private <T extends EndVerdict> T pending(Class<T> type, StreamEnd end, int asked, int failed) {
    return assertInstanceOf(
        type, judge.judge(new EndedStream(end, true, false, asked, failed, true), 0));
  }

  private <T extends EndVerdict> T opening(Class<T> type, StatusCode code, boolean handle) {
    return assertInstanceOf(
        type, judge.judge(new EndedStream(end(code), false, handle, 1, 0, true), 0));
  }

  private <T extends EndVerdict> T idle(Class<T> type, StreamEnd end) {
    return assertInstanceOf(type, judge.judge(new EndedStream(end, true, false, 0, 0, false), 0));
  }

  @Test
  void aTransientEndWaitsAndAPermanentOneFails() {
    EndVerdict.ReopenAfter after =
        pending(EndVerdict.ReopenAfter.class, end(StatusCode.UNAVAILABLE), 1, 0);
    assertEquals(1_000_000_000L, after.delayNanos());
    EndVerdict.FailSession fail =
        pending(EndVerdict.FailSession.class, end(StatusCode.NOT_FOUND), 1, 0);
    assertEquals(StatusCode.NOT_FOUND, fail.failure().status());
    assertEquals("the stream failed: text", fail.failure().what());
    assertEquals(1, fail.failure().earlier().size());
    assertEquals(2, fail.failure().attempts());
  }

  @Test
  void anExhaustedBudgetNamesItsLimit() {
    for (int i = 0; i < 4; i++) {
      pending(EndVerdict.ReopenAfter.class, end(StatusCode.OK), 1, 0);
    }
    EndVerdict.FailSession fail = pending(EndVerdict.FailSession.class, end(StatusCode.OK), 1, 0);
    assertTrue(fail.failure().what().contains("limit of 5 attempts"), fail.failure().what());
    assertTrue(fail.failure().what().contains("with ranges pending"), fail.failure().what());
    assertEquals(StatusCode.UNAVAILABLE, fail.failure().status());
    judge.progress();
    pending(EndVerdict.ReopenAfter.class, end(StatusCode.OK), 1, 0);
  }

  private String whatWith(RetryPolicy policy) {
    judge =
        new EndJudge(
            new ObjectPin(SessionFixture.config(), Optional.empty()),
            new RetryBudget(policy),
            SessionFixture.config().limits(),
            false);
    return pending(EndVerdict.FailSession.class, end(StatusCode.UNAVAILABLE), 1, 0)
        .failure()
        .what();
  }

  @Test
  void aPolicyThatMisbehavesIsNamed() {
    String none = whatWith(query -> null);
    assertTrue(none.startsWith("the RetryPolicy returned null, not a Verdict: "), none);
    String threw =
        whatWith(
            query -> {
              throw new IllegalStateException("mine");
            });
    assertTrue(threw.startsWith("the RetryPolicy threw java.lang.IllegalStateException"), threw);
    assertTrue(threw.contains("mine"), threw);
  }

  @Test
  void theInnermostCauseIsToldInOneShortLine() {
    Exception below = new Exception("the real\nreason");
    Exception between = new Exception("General problem", new Exception(null, below));
    StreamEnd end =
        new StreamEnd(
            StatusCode.NOT_FOUND,
            "io exception",
            Origin.TRANSPORT,
            new StreamEnd.NoDetail(),
            List.of(),
            between);
    EndVerdict.FailSession fail = pending(EndVerdict.FailSession.class, end, 1, 0);
    assertEquals("the stream failed: io exception: the real reason", fail.failure().what());
    below.initCause(new Exception("x".repeat(9_000)));
    assertTrue(pending(EndVerdict.FailSession.class, end, 1, 0).failure().what().length() < 400);
    Exception circle = new Exception("a");
    circle.initCause(new Exception("b", circle));
    StreamEnd circular =
        new StreamEnd(
            StatusCode.NOT_FOUND,
            "",
            Origin.TRANSPORT,
            new StreamEnd.NoDetail(),
            List.of(),
            circle);
    pending(EndVerdict.FailSession.class, circular, 1, 0);
  }

  @Test
  void aCertificateThatIsNotTrustedIsPermanent() {
    pending(
        EndVerdict.FailSession.class, end(StatusCode.UNAVAILABLE, Origin.UNTRUSTED_SERVER), 1, 0);
    pending(EndVerdict.ReopenAfter.class, end(StatusCode.UNAVAILABLE, Origin.TRANSPORT), 1, 0);
  }

  @Test
  void abortedIsTransientOnlyOnAStreamThatWasOpen() {
    pending(EndVerdict.ReopenAfter.class, end(StatusCode.ABORTED), 1, 0);
    opening(EndVerdict.FailSession.class, StatusCode.ABORTED, false);
  }

  @Test
  void redirectsAreFollowedAFewTimesAndNotWhenIdle() {
    idle(EndVerdict.GoIdle.class, REDIRECT);
    for (int i = 0; i < SessionLimits.DEFAULT_MAX_REDIRECTS; i++) {
      pending(EndVerdict.ReopenNow.class, REDIRECT, 1, 0);
    }
    pending(EndVerdict.FailSession.class, REDIRECT, 1, 0);
    judge.progress();
    pending(EndVerdict.ReopenNow.class, REDIRECT, 1, 0);
  }

  @Test
  void endedRangesAreProgress() {
    for (int i = 0; i < 20; i++) {
      pending(EndVerdict.ReopenNow.class, end(StatusCode.OUT_OF_RANGE), 3, 1);
    }
    EndedStream last = new EndedStream(end(StatusCode.OUT_OF_RANGE), true, false, 0, 1, false);
    assertInstanceOf(EndVerdict.GoIdle.class, judge.judge(last, 0));
    EndedStream named = new EndedStream(end(StatusCode.NOT_FOUND), true, false, 0, 1, false);
    assertInstanceOf(EndVerdict.GoIdle.class, judge.judge(named, 0));
  }

  @Test
  void aRangeErrorWithoutANameIsTrackedDown() {
    pending(EndVerdict.TryOneByOne.class, end(StatusCode.OUT_OF_RANGE), 2, 0);
    pending(EndVerdict.ReopenAfter.class, end(StatusCode.OUT_OF_RANGE), 0, 0);
  }

  @Test
  void anErrorAboutRangesOnlyIsNotTheSessions() {
    StreamEnd aboutOthers =
        FakeCall.withDetail(
            StatusCode.DATA_LOSS,
            new StreamEnd.RangeErrors(
                List.of(new StreamEnd.RangeError(9, StatusCode.DATA_LOSS, ""))));
    pending(EndVerdict.ReopenAfter.class, aboutOthers, 1, 0);
    idle(EndVerdict.GoIdle.class, aboutOthers);
  }

  @Test
  void metadataThatIsTooLargeIsHalvedWhileThereAreSeveralRanges() {
    StreamEnd large = end(StatusCode.INTERNAL, Origin.METADATA_TOO_LARGE);
    pending(EndVerdict.AskForHalf.class, large, 2, 0);
    pending(EndVerdict.ReopenAfter.class, large, 1, 0);
  }

  @Test
  void aMessageThatIsTooLargeIsPermanentAndTheServersExhaustionIsNot() {
    StreamEnd large = end(StatusCode.RESOURCE_EXHAUSTED, Origin.MESSAGE_TOO_LARGE);
    pending(EndVerdict.FailSession.class, large, 1, 0);
    pending(EndVerdict.ReopenAfter.class, end(StatusCode.RESOURCE_EXHAUSTED), 1, 0);
  }

  @Test
  void credentialsAreRenewedOnceUntilBytesCome() {
    opening(EndVerdict.FailSession.class, StatusCode.UNAUTHENTICATED, false);
    judge = judge(SessionFixture.config(), true);
    opening(EndVerdict.RenewCredentials.class, StatusCode.UNAUTHENTICATED, false);
    opening(EndVerdict.FailSession.class, StatusCode.UNAUTHENTICATED, false);
    judge.progress();
    opening(EndVerdict.RenewCredentials.class, StatusCode.UNAUTHENTICATED, false);
  }

  /** The stream was let in with them, so they have grown old since. */
  @Test
  void credentialsAreRenewedAgainAfterAStreamThatWasAnswered() {
    judge = judge(SessionFixture.config(), true);
    opening(EndVerdict.RenewCredentials.class, StatusCode.UNAUTHENTICATED, false);
    pending(EndVerdict.ReopenAfter.class, end(StatusCode.UNAVAILABLE), 1, 0);
    opening(EndVerdict.RenewCredentials.class, StatusCode.UNAUTHENTICATED, false);
  }

  @Test
  void aStreamThatWasAnsweredDidNotRefuseItsHandle() {
    judge = judge(SessionFixture.handleConfig(7, (byte) 1), false);
    EndedStream answered =
        new EndedStream(end(StatusCode.PERMISSION_DENIED), true, true, 1, 0, true);
    assertInstanceOf(EndVerdict.FailSession.class, judge.judge(answered, 0));
  }

  /** Whoever comes next has all attempts. */
  @Test
  void anIdleEndForgetsEarlierFailures() {
    for (StreamEnd idleEnd : List.of(REDIRECT, end(StatusCode.UNAVAILABLE), end(StatusCode.OK))) {
      judge = judge(SessionFixture.config(), false);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) {
          pending(EndVerdict.ReopenAfter.class, end(StatusCode.UNAVAILABLE), 1, 0);
        }
        idle(EndVerdict.GoIdle.class, idleEnd);
      }
    }
  }

  @Test
  void aHandleIsDroppedOnceIfTheOpenWasRefused() {
    for (StatusCode code :
        new StatusCode[] {
          StatusCode.NOT_FOUND,
          StatusCode.INVALID_ARGUMENT,
          StatusCode.FAILED_PRECONDITION,
          StatusCode.PERMISSION_DENIED,
          StatusCode.ABORTED
        }) {
      judge = judge(SessionFixture.handleConfig(1, (byte) 1), false);
      opening(EndVerdict.ReopenNow.class, code, true);
      opening(EndVerdict.FailSession.class, code, false);
      judge = judge(SessionFixture.handleConfig(1, (byte) 1), false);
      opening(EndVerdict.FailSession.class, code, false);
    }
    judge = judge(SessionFixture.handleConfig(1, (byte) 1), false);
    opening(EndVerdict.ReopenAfter.class, StatusCode.UNAVAILABLE, true);
  }

  @Test
  void anIdleEndIsNoFailureUnlessEveryOpenWouldFail() {
    for (StatusCode code : StatusCode.values()) {
      boolean permanent =
          switch (code) {
            case INVALID_ARGUMENT,
                NOT_FOUND,
                ALREADY_EXISTS,
                PERMISSION_DENIED,
                FAILED_PRECONDITION,
                UNIMPLEMENTED,
                DATA_LOSS,
                UNAUTHENTICATED ->
                true;
            default -> false;
          };
      if (permanent) {
        idle(EndVerdict.FailSession.class, end(code));
      } else {
        idle(EndVerdict.GoIdle.class, end(code));
      }
    }
    judge = judge(SessionFixture.config(), true);
    idle(EndVerdict.GoIdle.class, end(StatusCode.UNAUTHENTICATED));
  }
}
