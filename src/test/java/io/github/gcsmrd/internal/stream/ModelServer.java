// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
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
import java.util.function.LongFunction;

/**
 * A server that answers one step at a time, by chance right or wrong, and notes at each range what
 * it did to it. Not thread-safe.
 */
final class ModelServer {
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
    StatusCode.DATA_LOSS,
    StatusCode.UNAUTHENTICATED
  };
  private static final StatusCode[] OF_RANGES = {
    StatusCode.OK, StatusCode.UNAVAILABLE, StatusCode.OUT_OF_RANGE, StatusCode.NOT_FOUND
  };

  /** A range as asked for on a call. */
  private static final class Asked {
    final ReadRange range;
    final ModelRange model;
    final long end;
    long next;
    boolean over;

    Asked(ReadRange range, ModelRange model, long start, long end) {
      this.range = range;
      this.model = model;
      this.next = start;
      this.end = end;
    }
  }

  private final TestObject object;
  private final Random random;
  private final FakeTransport transport;
  private final LongFunction<ModelRange> byReadId;
  private final Map<FakeCall, List<Asked>> asked = new HashMap<>();
  private final Map<FakeCall, Boolean> answered = new HashMap<>();
  private final Map<FakeCall, Suspicion> suspicious = new HashMap<>();
  private final BooleanSupplier sizeKnown;

  /** A call that failed for a range that was out of range, or none: what could be known of it. */
  private record Suspicion(boolean nobodyNamed, boolean blind) {}

  /** How often it broke a stream. */
  int failures;

  int redirects;

  /** Whether it did something that may end the session. */
  boolean fatal;

  ModelServer(
      TestObject object,
      Random random,
      FakeTransport transport,
      LongFunction<ModelRange> byReadId,
      BooleanSupplier sizeKnown) {
    this.sizeKnown = sizeKnown;
    this.object = object;
    this.random = random;
    this.transport = transport;
    this.byReadId = byReadId;
  }

  /** What is asked for on a call and not over. */
  private List<Asked> open(FakeCall call) {
    List<Asked> all = all(call);
    return new ArrayList<>(all.stream().filter(range -> !range.over).toList());
  }

  private List<Asked> all(FakeCall call) {
    List<Asked> known = asked.computeIfAbsent(call, c -> new ArrayList<>());
    for (ReadRange range : call.ranges().subList(known.size(), call.ranges().size())) {
      long start = object.start(range);
      long end =
          range.getReadLength() == 0
              ? object.size()
              : Math.min(object.size(), start + range.getReadLength());
      known.add(new Asked(range, byReadId.apply(range.getReadId()), start, Math.max(start, end)));
    }
    return known;
  }

  private static <T> T pick(T[] from, Random random) {
    return from[random.nextInt(from.length)];
  }

  /** Does one thing, if there is a call to do it on. */
  void step() {
    FakeCall call = transport.call();
    if (call.isEnding() || call.requests().isEmpty()) {
      return;
    }
    if (answered.putIfAbsent(call, true) == null && !call.spec().hasReadHandle()) {
      call.post(transport.response(object.metadata()));
      return;
    }
    List<Asked> open = open(call);
    int what = random.nextInt(40);
    if (what < 26 && !open.isEmpty()) {
      data(call, open.get(random.nextInt(open.size())), what);
    } else if (what < 32) {
      stray(call, what);
    } else {
      end(call, open, what);
    }
  }

  private void data(FakeCall call, Asked range, int what) {
    if (object.start(range.range) > object.size()) {
      beyond(call, range);
      return;
    }
    int left = (int) (range.end - range.next);
    int length = left == 0 ? 0 : 1 + random.nextInt(left);
    ObjectRangeData.Builder chunk = object.chunk(range.range.getReadId(), range.next, length);
    boolean last = length == left && random.nextInt(3) != 0;
    switch (what) {
      case 0 -> corrupt(range, chunk, length);
      case 1 -> {
        chunk.getChecksummedDataBuilder().clearCrc32C();
        range.model.unchecked |= length > 0;
      }
      case 2 -> chunk = gap(range, chunk, length);
      case 3 -> chunk = overlap(range, length);
      case 4 -> chunk = surplus(range, left);
      case 5 -> {
        last = true;
        if (length < left) {
          range.model.endedEarly = true;
          range.model.faults++;
        }
      }
      default -> {}
    }
    range.next = Math.min(range.end, range.next + length);
    range.over = last;
    BidiReadObjectResponse.Builder response =
        what > 18 && length > 0
            ? pieces(range, length, last)
            : TestObject.of(chunk.setRangeEnd(last).build()).toBuilder();
    if (what == 6) {
      response.addObjectDataRanges(TestObject.rangeEnd(4_711));
    } else if (what == 7 && last) {
      response.addObjectDataRanges(TestObject.rangeEnd(range.range.getReadId()));
    }
    call.post(transport.response(response.build()));
  }

  private void beyond(FakeCall call, Asked range) {
    failures++;
    RangeError error = new RangeError(range.range.getReadId(), StatusCode.OUT_OF_RANGE, "beyond");
    call.postEnd(
        FakeCall.withDetail(StatusCode.OUT_OF_RANGE, new StreamEnd.RangeErrors(List.of(error))));
  }

  /** The last bytes sent, in many chunks of one message, of which one may be corrupt. */
  private BidiReadObjectResponse.Builder pieces(Asked range, int length, boolean last) {
    BidiReadObjectResponse.Builder response = BidiReadObjectResponse.newBuilder();
    long from = range.next - length;
    int most = Math.max(1 + random.nextInt(6), length / 80);
    int corrupt = random.nextInt(3) == 0 ? random.nextInt(length) : length;
    for (int done = 0; done < length; ) {
      int size = Math.min(length - done, 1 + random.nextInt(most));
      ObjectRangeData.Builder piece = object.chunk(range.range.getReadId(), from + done, size);
      if (corrupt >= done && corrupt < done + size) {
        corrupt(range, piece, size);
      }
      done += size;
      response.addObjectDataRanges(piece.setRangeEnd(last && done == length));
    }
    return response;
  }

  /** Other bytes than the checksum says. */
  private static void corrupt(Asked range, ObjectRangeData.Builder chunk, int length) {
    if (length > 0) {
      byte[] wrong = chunk.getChecksummedData().getContent().toByteArray();
      wrong[0] ^= 1;
      if (range.model.isChecking()) {
        chunk
            .getChecksummedDataBuilder()
            .setContent(com.google.protobuf.ByteString.copyFrom(wrong));
        range.model.faults++;
      }
    }
  }

  private ObjectRangeData.Builder gap(Asked range, ObjectRangeData.Builder chunk, int length) {
    boolean unknowable =
        range.model.range() instanceof ByteRange.Last && range.range.getReadOffset() < 0;
    if (length < 2 || unknowable) {
      return chunk;
    }
    range.model.faults++;
    return object.chunk(range.range.getReadId(), range.next + 1, length - 1);
  }

  private ObjectRangeData.Builder overlap(Asked range, int length) {
    boolean first = range.next == object.start(range.range);
    int back = first ? 0 : random.nextInt((int) (range.next - object.start(range.range)) + 1);
    return object.chunk(range.range.getReadId(), range.next - back, length + back);
  }

  /** More than was asked for, as far as the object goes. */
  private ObjectRangeData.Builder surplus(Asked range, int left) {
    range.next += left;
    return object.chunk(range.range.getReadId(), range.next - left, left + 5);
  }

  /** Things that concern no range that waits. */
  private void stray(FakeCall call, int what) {
    List<Asked> all = all(call);
    BidiReadObjectResponse response =
        switch (what) {
          case 26 -> TestObject.of();
          case 27 -> TestObject.handle((byte) random.nextInt(), (byte) 1);
          case 28 -> TestObject.of(object.chunk(9_999, random.nextInt(5), 3).build());
          case 29 ->
              call.spec().hasReadHandle()
                  ? TestObject.of()
                  : TestObject.of().toBuilder().mergeFrom(object.metadata()).build();
          default -> late(all);
        };
    call.post(transport.response(response));
  }

  /** Something for a range that is over. */
  private BidiReadObjectResponse late(List<Asked> all) {
    List<Asked> over = all.stream().filter(range -> range.over).toList();
    if (over.isEmpty()) {
      return TestObject.of();
    }
    Asked range = over.get(random.nextInt(over.size()));
    // A range that the server ended early may be asked for again, but under another id.
    return TestObject.of(
        random.nextBoolean()
            ? TestObject.rangeEnd(range.range.getReadId()).build()
            : object.chunk(range.range.getReadId(), range.next, 7).build());
  }

  private void end(FakeCall call, List<Asked> open, int what) {
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
        call.postEnd(FakeCall.status(StatusCode.INTERNAL, "large", Origin.METADATA_TOO_LARGE));
      }
      default -> {
        failures++;
        call.postEnd(FakeCall.status(pick(TRANSIENT, random), "transient", Origin.SERVER));
      }
    }
  }

  private void rangeErrors(FakeCall call, List<Asked> open) {
    failures++;
    List<RangeError> errors = new ArrayList<>();
    for (Asked range : open) {
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
  void noteSuspicions() {
    suspicious.forEach(
        (call, suspicion) -> {
          boolean nobodyNamed = suspicion.nobodyNamed();
          for (Asked range : all(call)) {
            range.model.faults++;
            range.model.refused |= nobodyNamed;
            range.model.endedEarly |= nobodyNamed;
            range.model.endedBlind |= nobodyNamed && suspicion.blind();
          }
        });
  }

  /** Answers all that is asked for, rightly. */
  void beHonest() {
    FakeCall call = transport.call();
    if (call.isOver()) {
      return;
    }
    if (call.isEnding() && !call.isOver()) {
      return;
    }
    if (!call.isReady()) {
      call.makeReady();
    }
    if (!call.requests().isEmpty() && answered.putIfAbsent(call, true) == null) {
      call.answer(call.spec().hasReadHandle() ? TestObject.of() : object.metadata());
    }
    for (Asked range : open(call)) {
      if (call.isEnding()) {
        return;
      }
      if (object.start(range.range) > object.size()) {
        beyond(call, range);
      } else {
        int left = (int) (range.end - range.next);
        call.post(
            transport.response(
                TestObject.of(
                    object
                        .chunk(range.range.getReadId(), range.next, left)
                        .setRangeEnd(true)
                        .build())));
        range.over = true;
      }
    }
  }
}
