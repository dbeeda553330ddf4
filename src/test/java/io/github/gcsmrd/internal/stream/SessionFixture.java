// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.RangeSink;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.ReadCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Executor;

/** A session with a loop, a server and executors that the test drives. Not thread-safe. */
public final class SessionFixture implements Session.Listener {
  /** No jitter, so that a test knows when. */
  static final RetryPolicy RETRY = RetryPolicy.builder().jitter(false).build();

  public final FakeLoop loop = new FakeLoop();
  final FakeTransport transport;
  final ManualExecutor callbacks = new ManualExecutor();
  final ManualExecutor blocking = new ManualExecutor();
  final ManualExecutor hashers = new ManualExecutor();
  int offloadThreshold = OffloadSwitch.THRESHOLD_BYTES;
  final OffloadSwitch offload = new OffloadSwitch(Map.of(), Optional.of(false));
  final List<ObjectInfo> opened = new ArrayList<>();
  final List<GcsException> openFailures = new ArrayList<>();
  int stopped;
  public Session session;

  public SessionFixture() {
    this(1);
  }

  SessionFixture(long seed) {
    transport = new FakeTransport(loop, new Random(seed));
  }

  static SessionConfig config(RetryPolicy policy, SessionLimits limits) {
    return new SessionConfig(
        "bucket",
        "object",
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        policy,
        limits);
  }

  static SessionConfig config() {
    return config(RETRY, SessionLimits.defaults());
  }

  /** A configuration with a read handle, and a generation if it is more than 0. */
  static SessionConfig handleConfig(long generation, byte... handle) {
    return new SessionConfig(
        "bucket",
        "object",
        generation > 0 ? OptionalLong.of(generation) : OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.of(handle),
        Optional.empty(),
        Map.of(),
        RETRY,
        SessionLimits.defaults());
  }

  public SessionFixture start() {
    return start(config());
  }

  public SessionFixture start(SessionConfig config) {
    return start(config, CredentialsRenewal.IMPOSSIBLE);
  }

  public SessionFixture start(SessionConfig config, CredentialsRenewal renewal) {
    return start(config, renewal, callbacks, blocking);
  }

  public SessionFixture start(
      SessionConfig config,
      CredentialsRenewal renewal,
      Executor callbackExecutor,
      Executor blockingExecutor) {
    session =
        new Session(
            config,
            transport,
            new SessionTools(
                renewal,
                new Offload(offload, new HashPool(hashers), offloadThreshold),
                callbackExecutor,
                blockingExecutor),
            this);
    session.start();
    loop.runTasks();
    return this;
  }

  /** A session whose object is open. */
  public static SessionFixture open(TestObject object) {
    SessionFixture fixture = new SessionFixture().start();
    fixture.transport.call().answer(object.metadata());
    fixture.settle();
    return fixture;
  }

  /** Submits a range into a growing array. */
  TestRead read(ByteRange range) {
    return submit(range, new GrowingDestination(16));
  }

  public TestRead submit(ByteRange range, Destination destination) {
    TestRead read = new TestRead(range, destination, true);
    submit(ReadCall.NO_TIMEOUT, read);
    return read;
  }

  TestRead sink(ByteRange range, RangeSink sink) {
    return submit(range, new ExecutorSinkDestination(sink, queue()));
  }

  /** Credit enough for every sink of the session, unless a test takes a smaller pool. */
  CreditPool credit = new CreditPool(1L << 40);

  QueueSettings queue() {
    return queue(QueueSettings.UNLIMITED);
  }

  QueueSettings queue(long mostBytes) {
    return new QueueSettings(blocking, loop::execute, credit, mostBytes);
  }

  public void submit(long timeoutNanos, TestRead... reads) {
    session.submit(new ReadCall(Arrays.stream(reads).map(TestRead::read).toList(), timeoutNanos));
    loop.runTasks();
  }

  /** As many ranges of some bytes each as wanted, one after the other, in one call. */
  List<TestRead> reads(int count, int length) {
    List<TestRead> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reads.add(
          new TestRead(
              ByteRange.of((long) i * length, length), new GrowingDestination(length), true));
    }
    submit(ReadCall.NO_TIMEOUT, reads.toArray(new TestRead[0]));
    return reads;
  }

  void cancel(TestRead read) {
    read.abandon();
    session.abandon(read.read());
    loop.runTasks();
  }

  public void close() {
    session.close("closed by the test");
    settle();
  }

  /** Lets time pass, and all that follows happen. */
  public void advance(Duration duration) {
    loop.advance(duration);
    settle();
  }

  /** Runs everything that can run without time passing. */
  public void settle() {
    boolean ran = true;
    while (ran) {
      loop.runTasks();
      ran = hashers.runAll();
      ran |= blocking.runAll();
      ran |= callbacks.runAll();
    }
  }

  /** The newest call of the server. */
  public FakeCall call() {
    return transport.call();
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

  /** Closes if need be, and checks that nothing is left. */
  public void finish() {
    close();
    if (!call().isOver()) {
      call().end(io.github.gcsmrd.StatusCode.OK);
    }
    settle();
    loop.assertNoMoreTasks();
    transport.assertNoMemoryHeld();
  }
}
