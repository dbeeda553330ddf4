// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * A server that answers one step at a time, by chance right or wrong, and notes at each range what
 * it did to it. Not thread-safe.
 */
final class ModelServer {
  private final TestObject object;
  private final Random random;
  private final FakeTransport transport;
  private final LongFunction<ModelRange> byReadId;
  private final Map<FakeCall, List<AskedRange>> asked = new HashMap<>();
  private final Map<FakeCall, Boolean> answered = new HashMap<>();
  private final BooleanSupplier pinned;
  private final ModelEnds ends;

  /** Calls that answered with another generation: whatever comes after that is of no use. */
  private final Set<FakeCall> changed = new HashSet<>();

  ModelServer(
      TestObject object,
      Random random,
      FakeTransport transport,
      LongFunction<ModelRange> byReadId,
      BooleanSupplier pinned,
      ModelEnds ends) {
    this.pinned = pinned;
    this.ends = ends;
    this.object = object;
    this.random = random;
    this.transport = transport;
    this.byReadId = byReadId;
  }

  /** What is asked for on a call and not over. */
  private List<AskedRange> open(FakeCall call) {
    List<AskedRange> all = all(call);
    return new ArrayList<>(all.stream().filter(range -> !range.over).toList());
  }

  private List<AskedRange> all(FakeCall call) {
    List<AskedRange> known = asked.computeIfAbsent(call, c -> new ArrayList<>());
    for (ReadRange range : call.ranges().subList(known.size(), call.ranges().size())) {
      long start = object.start(range);
      long end =
          range.getReadLength() == 0
              ? object.size()
              : Math.min(object.size(), start + range.getReadLength());
      known.add(
          new AskedRange(range, byReadId.apply(range.getReadId()), start, Math.max(start, end)));
    }
    return known;
  }

  /** Does one thing, if there is a call to do it on. */
  void step() {
    FakeCall call = transport.call();
    if (call.isEnding() || call.requests().isEmpty() || changed.contains(call)) {
      return;
    }
    if (answered.putIfAbsent(call, true) == null && !call.spec().hasReadHandle()) {
      call.post(transport.response(object.metadata()));
      return;
    }
    List<AskedRange> open = open(call);
    int what = random.nextInt(44);
    if (what < 26 && !open.isEmpty()) {
      data(call, open.get(random.nextInt(open.size())), what);
    } else if (what < 32) {
      stray(call, what);
    } else if (what < 43) {
      ends.end(call, open, what);
    } else if (random.nextInt(5) == 0 && pinned.getAsBoolean()) {
      changeGeneration(call, open);
    }
  }

  private void data(FakeCall call, AskedRange range, int what) {
    if (object.start(range.range) > object.size()) {
      ends.beyond(call, range);
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

  /** The last bytes sent, in many chunks of one message, of which one may be corrupt. */
  private BidiReadObjectResponse.Builder pieces(AskedRange range, int length, boolean last) {
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
  private static void corrupt(AskedRange range, ObjectRangeData.Builder chunk, int length) {
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

  private ObjectRangeData.Builder gap(AskedRange range, ObjectRangeData.Builder chunk, int length) {
    boolean unknowable =
        range.model.range() instanceof ByteRange.Last && range.range.getReadOffset() < 0;
    if (length < 2 || unknowable) {
      return chunk;
    }
    range.model.faults++;
    return object.chunk(range.range.getReadId(), range.next + 1, length - 1);
  }

  private ObjectRangeData.Builder overlap(AskedRange range, int length) {
    boolean first = range.next == object.start(range.range);
    int back = first ? 0 : random.nextInt((int) (range.next - object.start(range.range)) + 1);
    return object.chunk(range.range.getReadId(), range.next - back, length + back);
  }

  /** More than was asked for, as far as the object goes. */
  private ObjectRangeData.Builder surplus(AskedRange range, int left) {
    range.next += left;
    return object.chunk(range.range.getReadId(), range.next - left, left + 5);
  }

  /** The object was replaced: the bytes that come with and after the news are another's. */
  private void changeGeneration(FakeCall call, List<AskedRange> open) {
    ends.generationChanged = true;
    changed.add(call);
    TestObject other = new TestObject(object.size(), object.isFinal(), random.nextLong());
    BidiReadObjectResponse.Builder news =
        other.metadata(TestObject.GENERATION + 1 + random.nextInt(3)).toBuilder();
    BidiReadObjectResponse.Builder after = BidiReadObjectResponse.newBuilder();
    for (AskedRange range : open) {
      int left = (int) (range.end - range.next);
      int length = left == 0 ? 0 : random.nextInt(left + 1);
      long readId = range.range.getReadId();
      news.addObjectDataRanges(other.chunk(readId, range.next, length));
      after.addObjectDataRanges(
          other.chunk(readId, range.next + length, left - length).setRangeEnd(true));
    }
    call.post(transport.response(news.build()));
    call.post(transport.response(after.build()));
  }

  /** Things that concern no range that waits. */
  private void stray(FakeCall call, int what) {
    List<AskedRange> all = all(call);
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
  private BidiReadObjectResponse late(List<AskedRange> all) {
    List<AskedRange> over = all.stream().filter(range -> range.over).toList();
    if (over.isEmpty()) {
      return TestObject.of();
    }
    AskedRange range = over.get(random.nextInt(over.size()));
    // A range that the server ended early may be asked for again, but under another id.
    return TestObject.of(
        random.nextBoolean()
            ? TestObject.rangeEnd(range.range.getReadId()).build()
            : object.chunk(range.range.getReadId(), range.next, 7).build());
  }

  /** See {@link ModelEnds#noteSuspicions}. */
  void noteSuspicions() {
    ends.noteSuspicions(this::all);
  }

  /** Answers all that is asked for, rightly. */
  void beHonest() {
    FakeCall call = transport.call();
    if (call.isEnding() || changed.contains(call)) {
      return;
    }
    if (!call.isReady()) {
      call.makeReady();
    }
    if (!call.requests().isEmpty() && answered.putIfAbsent(call, true) == null) {
      call.answer(call.spec().hasReadHandle() ? TestObject.of() : object.metadata());
    }
    for (AskedRange range : open(call)) {
      if (call.isEnding()) {
        return;
      }
      if (object.start(range.range) > object.size()) {
        ends.beyond(call, range);
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
