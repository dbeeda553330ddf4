// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamEnd.RangeError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * How the model's server ends streams, by chance in any of its ways, and what may come of that. Not
 * thread-safe.
 */
final class ModelEnds {
  private static final StatusCode[] TRANSIENT = {
    StatusCode.OK,
    StatusCode.CANCELLED,
    StatusCode.UNKNOWN,
    StatusCode.UNAVAILABLE,
    StatusCode.INTERNAL,
    StatusCode.DEADLINE_EXCEEDED,
    StatusCode.RESOURCE_EXHAUSTED
  };
  private static final StatusCode[] PERMANENT = {
    StatusCode.NOT_FOUND,
    StatusCode.PERMISSION_DENIED,
    StatusCode.INVALID_ARGUMENT,
    StatusCode.FAILED_PRECONDITION,
    StatusCode.DATA_LOSS
  };
  private static final StatusCode[] OF_RANGES = {
    StatusCode.OK, StatusCode.UNAVAILABLE, StatusCode.OUT_OF_RANGE, StatusCode.NOT_FOUND
  };

  /** A call that failed for a range that was out of range, or none: what could be known of it. */
  private record Suspicion(boolean nobodyNamed, boolean blind) {}

  private final TestObject object;
  private final Random random;
  private final FakeTransport transport;
  private final boolean renewable;
  private final BooleanSupplier sizeKnown;
  private final Map<FakeCall, Suspicion> suspicious = new HashMap<>();

  /** How often it broke a stream. */
  int failures;

  int redirects;

  /** How often it refused the credentials. */
  int refusals;

  /** Whether it did something that may end the session. */
  boolean fatal;

  /** Whether it answered with another generation than the one pinned. */
  boolean generationChanged;

  ModelEnds(
      TestObject object,
      Random random,
      FakeTransport transport,
      boolean renewable,
      BooleanSupplier sizeKnown) {
    this.object = object;
    this.random = random;
    this.transport = transport;
    this.renewable = renewable;
    this.sizeKnown = sizeKnown;
  }

  private static <T> T pick(T[] from, Random random) {
    return from[random.nextInt(from.length)];
  }

  void beyond(FakeCall call, AskedRange range) {
    failures++;
    RangeError error = new RangeError(range.range.getReadId(), StatusCode.OUT_OF_RANGE, "beyond");
    call.postEnd(
        FakeCall.withDetail(StatusCode.OUT_OF_RANGE, new StreamEnd.RangeErrors(List.of(error))));
  }

  void end(FakeCall call, List<AskedRange> open, int what) {
    if (random.nextInt(3) != 0) {
      return;
    }
    if (random.nextBoolean()) {
      call.dropInbox();
    }
    switch (what) {
      case 32 -> {
        redirects++;
        boolean handle = random.nextBoolean();
        call.postEnd(
            FakeCall.withDetail(
                StatusCode.ABORTED,
                new StreamEnd.Redirect(
                    Optional.of("token-" + redirects),
                    handle ? Optional.of(new byte[] {5}) : Optional.empty())));
      }
      case 33 -> rangeErrors(call, open);
      case 34 -> {
        failures++;
        call.post(transport.response(new byte[] {0x32, 0x7F, 1}));
      }
      case 35 -> {
        failures++;
        call.post(
            transport.response(TestObject.of(object.chunk(1, 0, 1).clearReadRange().build())));
      }
      case 36 -> nameless(call);
      case 37 -> {
        fatal = true;
        call.postEnd(FakeCall.status(pick(PERMANENT, random), "permanent", Origin.SERVER));
      }
      case 38 -> {
        failures++;
        // The one that is left when all others are settled may be meant.
        open.forEach(range -> range.model.refused = true);
        call.postEnd(FakeCall.status(StatusCode.INTERNAL, "large", Origin.METADATA_TOO_LARGE));
      }
      case 39 -> plainAborted(call);
      case 40 -> refuseCredentials(call);
      case 41 -> {
        failures++;
        fatal = true;
        call.postEnd(
            FakeCall.status(StatusCode.RESOURCE_EXHAUSTED, "large", Origin.MESSAGE_TOO_LARGE));
      }
      default -> {
        failures++;
        call.postEnd(FakeCall.status(pick(TRANSIENT, random), "transient", Origin.SERVER));
      }
    }
  }

  /** No redirect: the end of a stream that was once open, or of the session. */
  private void plainAborted(FakeCall call) {
    failures++;
    fatal |= !call.willHaveAnswered();
    call.postEnd(FakeCall.status(StatusCode.ABORTED, "no redirect", Origin.SERVER));
  }

  /** The first time new credentials may help; who brings no others need not come again. */
  private void refuseCredentials(FakeCall call) {
    refusals++;
    fatal |= !renewable || refusals > 1;
    call.postEnd(FakeCall.status(StatusCode.UNAUTHENTICATED, "expired", Origin.SERVER));
  }

  private void rangeErrors(FakeCall call, List<AskedRange> open) {
    failures++;
    List<RangeError> errors = new ArrayList<>();
    for (AskedRange range : open) {
      if (random.nextInt(3) == 0) {
        StatusCode code = pick(OF_RANGES, random);
        range.model.faults += code == StatusCode.UNAVAILABLE ? 1 : 0;
        range.model.refused |= code == StatusCode.OUT_OF_RANGE || code == StatusCode.NOT_FOUND;
        range.model.endedEarly |= code == StatusCode.OUT_OF_RANGE;
        range.model.endedBlind |= code == StatusCode.OUT_OF_RANGE && !sizeKnown.getAsBoolean();
        errors.add(new RangeError(range.range.getReadId(), code, "by chance"));
      }
    }
    if (random.nextBoolean()) {
      errors.add(new RangeError(31_337, StatusCode.OUT_OF_RANGE, "a stranger"));
    }
    boolean outOfRange = random.nextBoolean();
    if (outOfRange) {
      suspect(call, errors.stream().allMatch(error -> error.code() == StatusCode.OK));
    }
    StatusCode code = outOfRange ? StatusCode.OUT_OF_RANGE : StatusCode.UNAVAILABLE;
    call.postEnd(FakeCall.withDetail(code, new StreamEnd.RangeErrors(errors)));
  }

  /** Out of range, but nobody is named: whoever is alone by then is meant. */
  private void nameless(FakeCall call) {
    failures++;
    suspect(call, true);
    call.postEnd(FakeCall.status(StatusCode.OUT_OF_RANGE, "somebody", Origin.SERVER));
  }

  private void suspect(FakeCall call, boolean nobodyNamed) {
    suspicious.put(call, new Suspicion(nobodyNamed, !sizeKnown.getAsBoolean()));
  }

  /**
   * Notes that each range of a call that failed as a whole may have been taken for the one that was
   * out of range; those too that were asked for while the end was under way.
   */
  void noteSuspicions(Function<FakeCall, List<AskedRange>> all) {
    suspicious.forEach(
        (call, suspicion) -> {
          boolean nobodyNamed = suspicion.nobodyNamed();
          for (AskedRange range : all.apply(call)) {
            range.model.faults++;
            range.model.refused |= nobodyNamed;
            range.model.endedEarly |= nobodyNamed;
            range.model.endedBlind |= nobodyNamed && suspicion.blind();
          }
        });
  }
}
