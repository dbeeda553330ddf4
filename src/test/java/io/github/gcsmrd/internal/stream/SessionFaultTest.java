// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.read.AllocatedDestination;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What surrounds a session breaks: the transport, its executors, the heap. */
class SessionFaultTest {
  private static final Error NO_THREAD = new OutOfMemoryError("unable to create native thread");

  private final TestObject object = new TestObject(100, true, 1);
  private final SessionFixture fixture = new SessionFixture();

  /** A transport that fails from an open on. */
  private final class Broken implements StreamTransport {
    private final int openable;
    private int opens;

    Broken(int openable) {
      this.openable = openable;
    }

    @Override
    public Loop loop() {
      return fixture.loop;
    }

    @Override
    public StreamCall open(OpenRequest request, StreamListener listener) {
      if (opens++ < openable) {
        return fixture.transport.open(request, listener);
      }
      throw new NoSuchMethodError("a dependency of another version");
    }
  }

  private void start(StreamTransport transport) {
    fixture.session =
        new Session(
            SessionFixture.config(),
            transport,
            new SessionTools(
                CredentialsRenewal.IMPOSSIBLE,
                new Offload(fixture.offload, new HashPool(fixture.hashers)),
                fixture.callbacks,
                fixture.blocking),
            fixture);
    fixture.session.start();
    fixture.loop.runTasks();
  }

  /** An executor that can't make a thread once. */
  private static final class Failing implements Executor {
    private final Executor executor;
    private boolean fails;

    Failing(Executor executor) {
      this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
      if (fails) {
        fails = false;
        throw NO_THREAD;
      }
      executor.execute(task);
    }
  }

  private Failing startWithFailingBlocking() {
    Failing blocking = new Failing(fixture.blocking);
    fixture.start(
        SessionFixture.config(), CredentialsRenewal.IMPOSSIBLE, fixture.callbacks, blocking);
    fixture.call().answer(object.metadata());
    fixture.settle();
    return blocking;
  }

  @Test
  void anOpenThatThrowsEndsTheSessionAndAllInIt() {
    start(new Broken(0));
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.settle();
    read.failure();
    assertEquals(1, fixture.openFailures.size());
    assertEquals(1, fixture.stopped);
  }

  @Test
  void aReopenThatThrowsEndsTheSessionAndAllInIt() {
    start(new Broken(1));
    fixture.call().answer(object.metadata());
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(10));
    read.failure();
    fixture.close();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void anOutcomeForWhichThereIsNoThreadIsToldAllTheSame() throws Exception {
    Failing callbacks = new Failing(fixture.callbacks);
    fixture.start(
        SessionFixture.config(), CredentialsRenewal.IMPOSSIBLE, callbacks, fixture.blocking);
    fixture.call().answer(object.metadata());
    fixture.settle();
    CountDownLatch told = new CountDownLatch(1);
    TestRead read =
        new TestRead(ByteRange.of(0, 10), new GrowingDestination(10), true) {
          @Override
          public void quiet() {
            super.quiet();
            told.countDown();
          }
        };
    fixture.submit(ReadCall.NO_TIMEOUT, read);
    callbacks.fails = true;
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.loop.runTasks();
    assertTrue(told.await(20, TimeUnit.SECONDS), "by a thread made for it");
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void aSinkForWhichThereIsNoThreadFailsAndNothingOfItIsKept() {
    Failing blocking = startWithFailingBlocking();
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 10),
            new ExecutorSinkDestination(
                chunk -> {},
                new QueueSettings(
                    blocking, fixture.loop::execute, fixture.credit, QueueSettings.UNLIMITED)));
    blocking.fails = true;
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    assertSame(NO_THREAD, read.failure());
    assertEquals(fixture.credit.bytes(), fixture.credit.freeBytes());
    fixture.finish();
  }

  @Test
  void anAllocatorForWhichThereIsNoThreadFailsItsRange() {
    Failing blocking = startWithFailingBlocking();
    blocking.fails = true;
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 10), new AllocatedDestination(ByteBuffer::allocate, buffer -> {}));
    fixture.settle();
    assertSame(NO_THREAD, read.failure());
    fixture.finish();
  }

  @Test
  void theEndIsToldThoughThereIsNoThreadForIt() {
    Failing blocking = startWithFailingBlocking();
    blocking.fails = true;
    fixture.finish();
    assertEquals(1, fixture.stopped);
  }

  @Test
  void aResultThatCanNotBeMadeFailsItsRangeAlone() {
    fixture.start();
    fixture.call().answer(object.metadata());
    TestRead other = fixture.read(ByteRange.of(50, 10));
    Error noHeap = new OutOfMemoryError("Java heap space");
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 10),
            new Destination() {
              @Override
              public void deliver(
                  long at, long offset, Content bytes, int from, int length, MessageMemory of) {}

              @Override
              public Optional<ByteBuffer> finish(long lengthBytes) {
                throw noHeap;
              }
            });
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(1))));
    fixture.settle();
    assertSame(noHeap, read.failure());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    other.assertBytes(object.bytes(50, 60));
    fixture.finish();
  }

  @Test
  void theLastTurnOfALoopStillTellsWhoBecameQuiet() {
    fixture.start();
    fixture.call().answer(object.metadata());
    TestRead read = fixture.sink(ByteRange.of(0, 10), chunk -> {});
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.session.close("closed by the test");
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    fixture.blocking.runAll();
    fixture.loop.shutDown();
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    read.assertOnce();
  }
}
