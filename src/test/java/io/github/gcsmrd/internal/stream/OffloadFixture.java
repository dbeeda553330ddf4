// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.ManualWorkers;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;
import io.github.gcsmrd.internal.read.BufferDestination;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.ReadCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** An open session that hashes off its loop, on workers that the test drives. Not thread-safe. */
final class OffloadFixture {
  static final int MIB = 1 << 20;

  final SessionFixture base = new SessionFixture(9);
  final ManualWorkers workers;
  final OffloadSwitch offload = new OffloadSwitch(Map.of(), Optional.of(true));
  final TestObject object;

  OffloadFixture(TestObject object) {
    this(object, SessionLimits.DEFAULT_MAX_REPAIRS);
  }

  OffloadFixture(TestObject object, int maxRepairs) {
    this.object = object;
    this.workers = new ManualWorkers();
    start(new HashPool(workers), maxRepairs, OffloadSwitch.THRESHOLD_BYTES);
  }

  /** Small chunks are large enough for the workers. */
  static OffloadFixture withThreshold(TestObject object, int thresholdBytes) {
    return new OffloadFixture(object, new ManualWorkers(), thresholdBytes);
  }

  private OffloadFixture(TestObject object, ManualWorkers workers, int thresholdBytes) {
    this.object = object;
    this.workers = workers;
    start(new HashPool(workers), SessionLimits.DEFAULT_MAX_REPAIRS, thresholdBytes);
  }

  OffloadFixture(TestObject object, HashPool pool) {
    this.object = object;
    this.workers = new ManualWorkers();
    start(pool, SessionLimits.DEFAULT_MAX_REPAIRS, OffloadSwitch.THRESHOLD_BYTES);
  }

  private void start(HashPool pool, int maxRepairs, int thresholdBytes) {
    SessionLimits usual = SessionLimits.defaults();
    SessionLimits limits =
        new SessionLimits(
            usual.openTimeoutNanos(),
            usual.stallTimeoutNanos(),
            usual.rangeTimeoutNanos(),
            usual.closeWaitNanos(),
            maxRepairs,
            usual.maxRedirects(),
            usual.heldChunks());
    base.session =
        new Session(
            SessionFixture.config(SessionFixture.RETRY, limits),
            base.transport,
            new SessionTools(
                CredentialsRenewal.IMPOSSIBLE,
                new Offload(offload, pool, thresholdBytes),
                base.callbacks,
                base.blocking),
            base);
    base.session.start();
    base.loop.runTasks();
    call().answer(object.metadata());
    base.settle();
  }

  FakeCall call() {
    return base.call();
  }

  /** One range into a buffer, in a call of its own. */
  TestRead read(ByteRange range, ByteBuffer buffer) {
    return read(range, new BufferDestination(buffer), true);
  }

  TestRead read(ByteRange range, Destination destination, boolean checking) {
    TestRead read = new TestRead(range, destination, checking);
    base.submit(ReadCall.NO_TIMEOUT, read);
    return read;
  }

  /** Ranges into buffers of their length, in one call. */
  TestRead[] reads(ByteRange... ranges) {
    TestRead[] reads =
        Arrays.stream(ranges)
            .map(range -> new TestRead(range, buffer(range), true))
            .toArray(TestRead[]::new);
    base.submit(ReadCall.NO_TIMEOUT, reads);
    return reads;
  }

  private Destination buffer(ByteRange range) {
    long length = range instanceof ByteRange.Bounded bounded ? bounded.length() : object.size();
    return new BufferDestination(ByteBuffer.allocate((int) length));
  }

  /** A message with these pieces comes. */
  void answer(ObjectRangeData.Builder... pieces) {
    call()
        .answer(
            TestObject.of(
                Arrays.stream(pieces)
                    .map(ObjectRangeData.Builder::build)
                    .toArray(ObjectRangeData[]::new)));
  }

  /** Bytes for the i-th range asked for on the present stream. */
  ObjectRangeData.Builder chunk(int i, long offset, int length) {
    return object.chunk(call().range(i).getReadId(), offset, length);
  }

  /** The same with a checksum that does not match. */
  ObjectRangeData.Builder corrupt(int i, long offset, int length) {
    ObjectRangeData.Builder chunk = chunk(i, offset, length);
    int crc32c = chunk.getChecksummedData().getCrc32C();
    chunk.getChecksummedDataBuilder().setCrc32C(crc32c ^ 1);
    return chunk;
  }

  ObjectRangeData.Builder end(int i) {
    return TestObject.rangeEnd(call().range(i).getReadId());
  }

  /** Runs a hash by the order in which the chunks came, then the loop. */
  void hash(int index) {
    workers.run(index);
    base.settle();
  }

  void hashAll() {
    int done = -1;
    while (done != workers.size()) {
      done = workers.size();
      workers.runAll();
      base.settle();
    }
  }

  /** Answers, rightly, every range of the present stream that was asked for from the i-th on. */
  void answerWhole(int from) {
    for (int i = from; i < call().ranges().size(); i++) {
      call().answer(TestObject.of(object.whole(call().range(i))));
    }
    hashAll();
  }

  void assertAsked(int i, long offset, long length) {
    assertEquals(offset, call().range(i).getReadOffset(), "offset of " + call().range(i));
    assertEquals(length, call().range(i).getReadLength(), "length of " + call().range(i));
  }

  void assertDelivered(TestRead read, long bytes) {
    assertEquals(bytes, read.read().position().deliveredBytes(), () -> "delivered of " + read);
  }

  void assertBytes(ByteBuffer buffer, long from, int length) {
    byte[] actual = new byte[length];
    buffer.get(0, actual);
    assertArrayEquals(object.bytes(from, from + length), actual);
  }

  void advance(Duration duration) {
    base.advance(duration);
  }

  /** Closes, lets the workers end, and checks that nothing is held. */
  void finish() {
    base.close();
    workers.runAll();
    base.finish();
  }
}
