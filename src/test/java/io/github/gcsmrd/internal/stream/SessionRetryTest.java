// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectSpec;
import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.SessionException;
import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SessionRetryTest {
  private final TestObject object = new TestObject(100, true, 6);

  private static byte[] handleOf(BidiReadObjectSpec spec) {
    return spec.getReadHandle().getHandle().toByteArray();
  }

  @Test
  void aRedirectIsFollowedAtOnceWithTokenAndHandleAndCostsNoBudget() {
    SessionFixture fixture = new SessionFixture().start();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().redirect(Optional.of("token-1"), Optional.of(new byte[] {1, 2}));
    fixture.transport.assertCalls(2);
    assertEquals(Optional.of("token-1"), fixture.call().openRequest().routingToken());
    assertEquals("token-1", fixture.call().spec().getRoutingToken());
    assertArrayEquals(new byte[] {1, 2}, handleOf(fixture.call().spec()));
    assertEquals(1, fixture.call().ranges().size());
    // One that brings neither keeps both.
    fixture.call().redirect(Optional.empty(), Optional.empty());
    assertEquals("token-1", fixture.call().spec().getRoutingToken());
    assertArrayEquals(new byte[] {1, 2}, handleOf(fixture.call().spec()));
    fixture.call().answer(object.metadata());
    // The attempts are all there still: four failures more are borne.
    for (int i = 0; i < 4; i++) {
      fixture.call().end(StatusCode.UNAVAILABLE);
      assertFalse(read.isEnded());
      fixture.advance(Duration.ofSeconds(1L << i));
    }
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void redirectsWithoutAByteAreBounded() {
    SessionFixture fixture = new SessionFixture().start();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 5; i++) {
      fixture.call().answer(object.metadata());
      fixture.call().redirect(Optional.of("t" + i), Optional.empty());
    }
    fixture.transport.assertCalls(6);
    fixture.call().redirect(Optional.of("t"), Optional.empty());
    fixture.settle();
    fixture.transport.assertCalls(6);
    read.failure(SessionException.class);
    fixture.finish();
  }

  @Test
  void redirectsWithBytesInBetweenGoOn() {
    SessionFixture fixture = new SessionFixture().start();
    TestRead read = fixture.read(ByteRange.of(0, 20));
    for (int i = 0; i < 20; i++) {
      long id = fixture.call().range(0).getReadId();
      fixture.call().answer(TestObject.of(object.chunk(id, i, 1).build()));
      fixture.call().redirect(Optional.of("t" + i), Optional.empty());
    }
    fixture.settle();
    read.assertBytes(object.bytes(0, 20));
    fixture.finish();
  }

  @Test
  void nothingIsReopenedForARangeThatWasCancelledDuringTheBackOff() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.cancel(read);
    fixture.advance(Duration.ofMinutes(5));
    fixture.transport.assertCalls(1);
    TestRead later = fixture.read(ByteRange.of(20, 10));
    fixture.transport.assertCalls(2);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    later.assertBytes(object.bytes(20, 30));
    fixture.finish();
  }

  @Test
  void whatElseTheServerSaidIsTold() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture
        .call()
        .end(
            new StreamEnd(
                StatusCode.PERMISSION_DENIED,
                "no",
                StreamEnd.Origin.SERVER,
                new StreamEnd.NoDetail(),
                List.of("because"),
                null));
    fixture.settle();
    AccessDeniedException failure = read.failure(AccessDeniedException.class);
    assertEquals(List.of("because"), failure.context().serverDetails());
    fixture.finish();
  }

  @Test
  void emptyRangesDuringABackOffDoNotRenewTheBudget() {
    SessionFixture fixture = new SessionFixture().start();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 5; i++) {
      fixture.call().end(StatusCode.UNAVAILABLE);
      fixture.read(ByteRange.of(3, 0));
      fixture.advance(Duration.ofSeconds(1L << i));
    }
    assertTrue(read.isEnded(), "five attempts are all there are");
    read.failure(SessionException.class);
    fixture.finish();
  }

  @Test
  void attemptsAndTimeCountFromTheLastDeliveredByte() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 50));
    for (int i = 0; i < 50; i++) {
      fixture.advance(Duration.ofSeconds(15));
      long id = fixture.call().range(0).getReadId();
      fixture.call().answer(TestObject.of(object.chunk(id, i, 1).build()));
      fixture.call().end(StatusCode.UNAVAILABLE);
      fixture.advance(Duration.ofSeconds(1));
    }
    fixture.settle();
    read.assertBytes(object.bytes(0, 50));
    fixture.finish();
  }

  @Test
  void fiveFailuresWithoutAByteEndTheSessionAndNameTheEarlierOnes() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 50));
    for (int i = 0; i < 5; i++) {
      // An answer without data is no progress.
      fixture.call().answer(TestObject.of());
      fixture.call().end(StatusCode.UNAVAILABLE);
      fixture.advance(Duration.ofSeconds(1L << i));
    }
    fixture.transport.assertCalls(5);
    SessionException failure = read.failure(SessionException.class);
    assertEquals(4, failure.getSuppressed().length);
    assertEquals(5, failure.context().attempts());
    assertEquals(StatusCode.UNAVAILABLE, failure.status());
    fixture.finish();
  }

  @Test
  void aPolicyThatThrowsFailsTheSessionInsteadOfHangingIt() {
    IllegalStateException thrown = new IllegalStateException("policy");
    SessionFixture fixture =
        new SessionFixture()
            .start(
                SessionFixture.config(
                    query -> {
                      throw thrown;
                    },
                    SessionLimits.defaults()));
    TestRead read = fixture.read(ByteRange.of(0, 1));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.settle();
    assertEquals(thrown, read.failure(SessionException.class).getCause());
    fixture.finish();
  }

  @Test
  void aPolicyMayWaitForEver() {
    SessionFixture fixture =
        new SessionFixture()
            .start(
                SessionFixture.config(
                    query ->
                        new io.github.gcsmrd.RetryPolicy.Verdict.Continue(
                            Duration.ofSeconds(Long.MAX_VALUE)),
                    SessionLimits.defaults()));
    TestRead read = fixture.read(ByteRange.of(0, 1));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofDays(1));
    fixture.transport.assertCalls(1);
    fixture.finish();
    read.failure(io.github.gcsmrd.SessionClosedException.class);
  }

  @Test
  void credentialsAreRenewedOnceOffTheLoop() {
    List<Consumer<Boolean>> renewed = new ArrayList<>();
    CredentialsRenewal renewal =
        new CredentialsRenewal() {
          @Override
          public boolean isPossible() {
            return true;
          }

          @Override
          public void renew(Consumer<Boolean> then) {
            renewed.add(then);
          }
        };
    SessionFixture fixture = new SessionFixture().start(SessionFixture.config(), renewal);
    TestRead read = fixture.read(ByteRange.of(0, 1));
    fixture.call().end(StatusCode.UNAUTHENTICATED);
    fixture.transport.assertCalls(1);
    renewed.get(0).accept(true);
    fixture.settle();
    fixture.transport.assertCalls(2);
    renewed.get(0).accept(true);
    fixture.settle();
    fixture.transport.assertCalls(2);
    fixture.call().end(StatusCode.UNAUTHENTICATED);
    fixture.settle();
    read.failure(AccessDeniedException.class);
    fixture.transport.assertCalls(2);
    fixture.finish();
  }

  @Test
  void aRenewalThatNeverEndsDoesNotHangTheSession() {
    CredentialsRenewal renewal =
        new CredentialsRenewal() {
          @Override
          public boolean isPossible() {
            return true;
          }

          @Override
          public void renew(Consumer<Boolean> then) {}
        };
    SessionFixture fixture = new SessionFixture().start(SessionFixture.config(), renewal);
    fixture.read(ByteRange.of(0, 1));
    fixture.call().end(StatusCode.UNAUTHENTICATED);
    fixture.advance(Duration.ofSeconds(22));
    fixture.transport.assertCalls(2);
    fixture.finish();
  }

  @Test
  void anHourOfIdlenessUsesUpNoBudget() {
    TestObject object = new TestObject(100, true, 1);
    SessionFixture fixture = SessionFixture.open(object);
    TestRead first = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.cancel(first);
    fixture.advance(Duration.ofHours(1));
    TestRead second = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(5));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    second.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void aTokenThatGrewOldIsRenewedAgainThoughNoByteCameMeanwhile() {
    int[] renewals = new int[1];
    TestObject object = new TestObject(100, true, 1);
    SessionFixture fixture = renewing(renewals);
    fixture.call().end(StatusCode.UNAUTHENTICATED);
    fixture.settle();
    assertEquals(1, renewals[0]);
    fixture.call().answer(object.metadata());
    fixture.advance(Duration.ofHours(2));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.settle();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAUTHENTICATED);
    fixture.settle();
    assertEquals(2, renewals[0], read::toString);
    fixture.finish();
  }

  @Test
  void streamsThatAreAnsweredAndThenRefusedAreRenewedButNotForEver() {
    int[] renewals = new int[1];
    TestObject object = new TestObject(100, true, 1);
    SessionFixture fixture = renewing(renewals);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    for (int i = 0; i < 100 && !read.isEnded(); i++) {
      fixture.call().answer(object.metadata());
      fixture.call().end(StatusCode.UNAUTHENTICATED);
      fixture.advance(Duration.ofSeconds(9));
    }
    assertEquals(StatusCode.UNAUTHENTICATED, read.failure(AccessDeniedException.class).status());
    assertEquals(5, renewals[0], "one is free, four by the policy");
    fixture.finish();
  }

  private static SessionFixture renewing(int[] renewals) {
    return new SessionFixture()
        .start(
            SessionFixture.config(),
            new CredentialsRenewal() {
              @Override
              public boolean isPossible() {
                return true;
              }

              @Override
              public void renew(Consumer<Boolean> then) {
                renewals[0]++;
                then.accept(true);
              }
            });
  }
}
