// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.ReadCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A session over several streams, each on a loop of its own, that the test drives. */
final class StreamSetFixture implements Session.Listener {
  final List<FakeTransport> transports = new ArrayList<>();
  final List<FakeLoop> loops = new ArrayList<>();
  final ManualExecutor callbacks = new ManualExecutor();
  final ManualExecutor blocking = new ManualExecutor();
  final CreditPool credit = new CreditPool(1L << 40);
  final List<ObjectInfo> opened = new ArrayList<>();
  final List<GcsException> openFailures = new ArrayList<>();
  final TestObject object;
  final StreamSet set;
  private final boolean oneLoop;
  int stopped;

  StreamSetFixture(TestObject object, int least, int most, boolean oneLoop) {
    this.object = object;
    this.oneLoop = oneLoop;
    StreamBounds bounds = new StreamBounds(least, most);
    SessionTools tools =
        new SessionTools(
            CredentialsRenewal.IMPOSSIBLE,
            new Offload(
                new OffloadSwitch(Map.of(), Optional.of(false)),
                new HashPool(new ManualExecutor())),
            callbacks,
            blocking);
    set =
        new StreamSet(
            SessionFixture.config(SessionFixture.RETRY, limits(bounds)),
            bounds,
            (home, config, part, known) ->
                new Session(config, transport(home), tools, part, part, known),
            this,
            call -> {
              throw new AssertionError("a loop is gone");
            });
    set.start();
    settle();
  }

  /** The usual limits, but the share of what a call may hold. */
  static SessionLimits limits(StreamBounds bounds) {
    SessionLimits usual = SessionLimits.defaults();
    return new SessionLimits(
        usual.openTimeoutNanos(),
        usual.stallTimeoutNanos(),
        usual.rangeTimeoutNanos(),
        usual.closeWaitNanos(),
        usual.maxRepairs(),
        usual.maxRedirects(),
        bounds.heldChunks());
  }

  private FakeTransport transport(boolean home) {
    if (loops.isEmpty() || (!oneLoop && !home)) {
      loops.add(new FakeLoop());
    }
    FakeLoop loop = home || oneLoop ? loops.get(0) : loops.get(loops.size() - 1);
    FakeTransport transport = new FakeTransport(loop, new Random(transports.size()));
    transports.add(transport);
    return transport;
  }

  /** An object that is open on its first stream. */
  static StreamSetFixture open(TestObject object, int least, int most) {
    StreamSetFixture fixture = new StreamSetFixture(object, least, most, false);
    fixture.call(0).answer(object.metadata());
    fixture.settle();
    return fixture;
  }

  /** The newest call of a stream. */
  FakeCall call(int stream) {
    return transports.get(stream).call();
  }

  TestRead read(ByteRange range) {
    return submit(new TestRead(range, new GrowingDestination(16), true)).get(0);
  }

  TestRead sink(ByteRange range) {
    QueueSettings queue =
        new QueueSettings(blocking, set.loop()::execute, credit, QueueSettings.UNLIMITED);
    return submit(new TestRead(range, new ExecutorSinkDestination(chunk -> {}, queue), true))
        .get(0);
  }

  List<TestRead> submit(TestRead... reads) {
    return submit(ReadCall.NO_TIMEOUT, reads);
  }

  List<TestRead> submit(long timeoutNanos, TestRead... reads) {
    List<TestRead> all = List.of(reads);
    set.submit(new ReadCall(all.stream().map(TestRead::read).toList(), timeoutNanos));
    settle();
    return all;
  }

  /** So many ranges of 8 MiB each, in one call: work for as many streams. */
  List<TestRead> large(int count) {
    TestRead[] reads = new TestRead[count];
    for (int i = 0; i < count; i++) {
      reads[i] =
          new TestRead(
              ByteRange.of(i, StreamChoice.BUSY_BYTES - StreamChoice.RANGE_BYTES),
              new GrowingDestination(16),
              true);
    }
    return submit(reads);
  }

  /** Answers everything that is asked for on a stream's newest call and not answered yet. */
  void answer(int stream, int from) {
    FakeCall call = call(stream);
    for (int i = from; i < call.ranges().size(); i++) {
      call.answer(TestObject.of(object.whole(call.range(i))));
    }
    settle();
  }

  void settle() {
    do {
      settleButSinks();
    } while (blocking.runAll());
  }

  /** Runs what can run while user code that may block stands still. */
  void settleButSinks() {
    boolean ran = true;
    while (ran) {
      ran = callbacks.runAll();
      for (FakeLoop loop : List.copyOf(loops)) {
        while (loop.runOne()) {
          ran = true;
        }
      }
    }
  }

  void advance(Duration duration) {
    settle();
    for (FakeLoop loop : List.copyOf(loops)) {
      loop.advance(duration);
      settle();
    }
  }

  /** Closes, and checks that nothing is left. */
  void finish() {
    set.close("closed by the test");
    settle();
    for (FakeTransport transport : transports) {
      if (!transport.calls().isEmpty() && !transport.call().isOver()) {
        transport.call().end(io.github.gcsmrd.StatusCode.OK);
      }
      settle();
      transport.assertNoMemoryHeld();
    }
    loops.forEach(FakeLoop::assertNoMoreTasks);
  }

  @Override
  public void opened(ObjectInfo info) {
    opened.add(info);
  }

  @Override
  public void openFailed(GcsException failure) {
    openFailures.add(failure);
  }

  @Override
  public void stopped() {
    stopped++;
  }
}
