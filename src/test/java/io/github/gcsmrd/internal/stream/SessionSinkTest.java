// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.AllocatedDestination;
import io.github.gcsmrd.internal.read.AsyncSinkDestination;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.LoopSinkDestination;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.RangeRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SessionSinkTest {
  private static final int MIB = 1 << 20;
  private final TestObject object = new TestObject(30 * MIB, true, 9);

  @Test
  void aSinkIsAskedForInSlicesOfItsCredit() {
    SessionFixture fixture = SessionFixture.open(object);
    long[] next = new long[1];
    TestRead read =
        fixture.sink(
            ByteRange.of(MIB, 20L * MIB),
            chunk -> {
              assertEquals(MIB + next[0], chunk.offset());
              next[0] += chunk.length();
            });
    FakeCall call = fixture.call();
    assertEquals(8L * MIB, call.range(0).getReadLength());
    for (int i = 0; i < 4; i++) {
      call.answer(
          TestObject.of(
              object
                  .chunk(call.range(0).getReadId(), MIB + i * 2L * MIB, 2 * MIB)
                  .setRangeEnd(i == 3)
                  .build()));
    }
    assertEquals(1, call.ranges().size(), "no credit, nothing asked for");
    fixture.advance(Duration.ofHours(1));
    assertEquals(8L * MIB, next[0]);
    assertEquals(9L * MIB, call.range(1).getReadOffset());
    assertEquals(8L * MIB, call.range(1).getReadLength());
    for (int slice = 1; slice < 3; slice++) {
      call.answer(TestObject.of(object.whole(call.range(slice))));
      fixture.settle();
    }
    assertEquals(4L * MIB, call.range(2).getReadLength());
    assertEquals(20L * MIB, read.result().length());
    assertTrue(read.result().verified());
    assertEquals(20L * MIB, next[0]);
    fixture.finish();
  }

  @Test
  void aSliceThatEndsAtTheObjectsEndIsTheLast() {
    SessionFixture fixture = SessionFixture.open(new TestObject(8 * MIB, true, 9));
    TestObject small = new TestObject(8 * MIB, true, 9);
    TestRead read = fixture.sink(ByteRange.all(), chunk -> {});
    fixture.call().answer(TestObject.of(small.whole(fixture.call().range(0))));
    fixture.settle();
    assertEquals(8L * MIB, read.result().length());
    assertEquals(1, fixture.call().ranges().size());
    fixture.finish();
  }

  @Test
  void aSlowSinkHoldsUpNobodyElse() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead slow = fixture.sink(ByteRange.of(0, 20L * MIB), chunk -> {});
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    TestRead quick = fixture.read(ByteRange.of(100, 10));
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    quick.assertBytes(object.bytes(100, 110));
    assertFalse(slow.isEnded());
    fixture.finish();
  }

  @Test
  void aSinkThatThrowsFailsItsRangeWithThatAndSparesTheStream() {
    SessionFixture fixture = SessionFixture.open(object);
    IOException full = new IOException("disk full");
    TestRead read =
        fixture.sink(
            ByteRange.of(0, 1_000),
            chunk -> {
              throw full;
            });
    TestRead other = fixture.read(ByteRange.of(0, 10));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    fixture.settle();
    assertSame(full, read.failure());
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.settle();
    other.assertBytes(object.bytes(0, 10));
    fixture.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void aLoopSinkThatThrowsFailsItsRangeToo() {
    SessionFixture fixture = SessionFixture.open(object);
    Error error = new AssertionError("in the sink");
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 1_000),
            new LoopSinkDestination(
                chunk -> {
                  throw error;
                }));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    assertSame(error, read.failure());
    fixture.finish();
  }

  @Test
  void aRangeEndsOnlyOnceItsSinkHasSeenAll() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.sink(ByteRange.of(0, 1_000), chunk -> {});
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.callbacks.runAll();
    assertFalse(read.isEnded());
    fixture.settle();
    assertEquals(1_000, read.result().length());
    fixture.finish();
  }

  @Test
  void retainedChunksOutliveTheSession() {
    SessionFixture fixture = SessionFixture.open(object);
    List<Chunk> kept = new ArrayList<>();
    fixture.sink(ByteRange.of(0, 2L * MIB), chunk -> kept.add(chunk.retain()));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    fixture.close();
    fixture.call().end(StatusCode.OK);
    fixture.settle();
    assertEquals(1, fixture.transport.memoriesHeld());
    byte[] bytes = new byte[2 * MIB];
    kept.get(0).copyTo(bytes, 0);
    assertArrayEquals(object.bytes(0, 2L * MIB), bytes);
    kept.get(0).close();
    fixture.finish();
  }

  @Test
  void aCancelWhileTheSinkRunsIsQuietOnlyAfterIt() {
    SessionFixture fixture = SessionFixture.open(object);
    int[] calls = new int[1];
    TestRead[] read = new TestRead[1];
    read[0] =
        fixture.sink(
            ByteRange.of(0, 1_000),
            chunk -> {
              calls[0]++;
              read[0].abandon();
              fixture.session.abandon(read[0].read());
            });
    long id = fixture.call().range(0).getReadId();
    fixture.call().answer(TestObject.of(object.chunk(id, 0, 500).build()));
    fixture.call().answer(TestObject.of(object.chunk(id, 500, 500).build()));
    fixture.settle();
    assertEquals(1, calls[0]);
    read[0].failure(CancellationException.class);
    fixture.finish();
  }

  @Test
  void aSinkOnAnExecutorThatRefusesFailsItsRange() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.sink(ByteRange.of(0, 1_000), chunk -> {});
    fixture.blocking.shutDown();
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.failure(RejectedExecutionException.class);
    fixture.finish();
  }

  @Test
  void anAllocatorIsAskedOnceTheSizeIsKnown() {
    SessionFixture fixture = new SessionFixture().start();
    List<Integer> asked = new ArrayList<>();
    List<ByteBuffer> released = new ArrayList<>();
    TestRead read =
        fixture.submit(
            ByteRange.from(object.size() - 50L),
            new AllocatedDestination(
                size -> {
                  asked.add(size);
                  return ByteBuffer.allocate(size);
                },
                released::add));
    fixture.settle();
    assertEquals(List.of(), asked);
    fixture.call().answer(object.metadata());
    fixture.settle();
    assertEquals(List.of(50), asked);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(object.size() - 50, object.size()));
    assertEquals(List.of(), released);
    fixture.finish();
  }

  @Test
  void anAllocatorThatWorksWhileTheObjectOpensIsAskedOnce() {
    SessionFixture fixture = new SessionFixture().start();
    int[] asked = new int[1];
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 10),
            new AllocatedDestination(
                size -> {
                  asked[0]++;
                  return ByteBuffer.allocate(size);
                },
                buffer -> {}));
    fixture.call().answer(object.metadata());
    fixture.settle();
    assertEquals(1, asked[0]);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void anAllocatorOfARangeWithoutAKnowableLengthIsNotAsked() {
    SessionFixture fixture = new SessionFixture().start(SessionFixture.handleConfig(5, (byte) 1));
    TestRead read =
        fixture.submit(
            ByteRange.all(),
            new AllocatedDestination(
                size -> {
                  throw new AssertionError("asked for " + size);
                },
                buffer -> {}));
    fixture.call().answer(TestObject.of());
    fixture.settle();
    read.failure(RangeException.class);
    fixture.finish();
  }

  @Test
  void aBufferAllocatedWhileTheSessionClosesIsReleased() {
    SessionFixture fixture = SessionFixture.open(object);
    List<ByteBuffer> released = new ArrayList<>();
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 10), new AllocatedDestination(ByteBuffer::allocate, released::add));
    fixture.session.close("now");
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    assertTrue(read.isEnded());
    assertEquals(0, released.size());
    fixture.settle();
    read.failure(SessionClosedException.class);
    assertEquals(1, released.size());
    fixture.finish();
  }

  @Test
  void aBufferAllocatedWhileTheLoopGoesIsReleased() {
    SessionFixture fixture = SessionFixture.open(object);
    List<ByteBuffer> released = new ArrayList<>();
    TestRead read =
        fixture.submit(
            ByteRange.of(0, 10), new AllocatedDestination(ByteBuffer::allocate, released::add));
    fixture.session.close("now");
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    fixture.loop.shutDown();
    fixture.blocking.runAll();
    read.failure(SessionClosedException.class);
    assertEquals(1, released.size());
  }

  @Test
  void aSinkThatRunsWhileTheLoopGoesBecomesQuiet() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.sink(ByteRange.of(0, 1_000), chunk -> {});
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.session.close("now");
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    fixture.loop.shutDown();
    fixture.blocking.runAll();
    read.failure(SessionClosedException.class);
    fixture.transport.assertNoMemoryHeld();
  }

  @Test
  void anyNumberOfSinksThatStandStillLeaveTheStreamGoing() {
    SessionFixture fixture = SessionFixture.open(object);
    for (int i = 0; i < 40; i++) {
      fixture.sink(ByteRange.from(0), chunk -> {});
    }
    FakeCall call = fixture.call();
    for (int i = 0; i < 40; i++) {
      call.answer(TestObject.of(object.chunk(call.range(i).getReadId(), 0, 64 << 10).build()));
    }
    assertTrue(call.demand() > 0, "half of the messages are copies by now");
    TestRead neighbour = fixture.read(ByteRange.of(5, 10));
    call.answer(TestObject.of(object.whole(call.range(40))));
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    neighbour.assertBytes(object.bytes(5, 15));
    fixture.settle();
    fixture.finish();
  }

  @Test
  void aSessionThatWaitsToReopenKeepsNoCreditFromOthers() {
    SessionFixture fixture = SessionFixture.open(object);
    long full = fixture.credit.freeBytes();
    TestRead read = fixture.sink(ByteRange.of(0, 100), chunk -> {});
    assertEquals(1, fixture.call().ranges().size());
    assertTrue(fixture.credit.freeBytes() < full, "asked for");
    fixture.call().end(StatusCode.UNAVAILABLE);
    assertEquals(full, fixture.credit.freeBytes());
    TestRead meanwhile = fixture.sink(ByteRange.of(50, 10), chunk -> {});
    assertEquals(full, fixture.credit.freeBytes());
    fixture.loop.advance(Duration.ofMinutes(1));
    FakeCall call = fixture.call();
    assertEquals(2, call.ranges().size());
    call.answer(TestObject.of(object.whole(call.range(0))));
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.settle();
    assertEquals(100, read.result().length());
    assertEquals(10, meanwhile.result().length());
    assertEquals(full, fixture.credit.freeBytes());
    fixture.finish();
  }

  @Test
  void aLongTailIntoASinkIsFoundByItsLastByteAndAskedForInSlices() {
    TestObject large = new TestObject(20 * MIB, false, 9);
    SessionFixture fixture = SessionFixture.open(large);
    long[] next = {2L * MIB};
    TestRead read =
        fixture.sink(
            ByteRange.last(18L * MIB),
            chunk -> {
              assertEquals(next[0], chunk.offset());
              next[0] += chunk.length();
            });
    FakeCall call = fixture.call();
    assertEquals(-1, call.range(0).getReadOffset());
    assertEquals(0, call.range(0).getReadLength());
    for (int i = 0; i < 4; i++) {
      assertEquals(i + 1, call.ranges().size());
      call.answer(TestObject.of(large.whole(call.range(i))));
      fixture.settle();
    }
    assertEquals(2L * MIB, call.range(1).getReadOffset());
    assertEquals(8L * MIB, call.range(1).getReadLength());
    assertEquals(2L * MIB, call.range(3).getReadLength());
    assertEquals(18L * MIB, read.result().length());
    assertEquals(2L * MIB, read.result().offset());
    fixture.finish();
  }

  @Test
  void aSlowSinkOfATailHasNoMoreThanItsCredit() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.sink(ByteRange.last(25L * MIB), chunk -> {});
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    call.answer(TestObject.of(object.whole(call.range(1))));
    assertEquals(8L * MIB, fixture.credit.bytes() - fixture.credit.freeBytes());
    assertEquals(2, call.ranges().size());
    fixture.settle();
    fixture.finish();
  }

  @Test
  void aShortTailIntoASinkIsAskedForAtOnce() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.sink(ByteRange.last(8L * MIB), chunk -> {});
    assertEquals(-8L * MIB, fixture.call().range(0).getReadOffset());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    assertEquals(8L * MIB, read.result().length());
    fixture.finish();
  }

  @Test
  void aRangeThatHasItsLastByteKeepsNoUnusedCredit() {
    SessionFixture fixture = SessionFixture.open(new TestObject(1_000, true, 9));
    TestRead read = fixture.sink(ByteRange.all(), chunk -> {});
    TestObject small = new TestObject(1_000, true, 9);
    fixture.call().answer(TestObject.of(small.whole(fixture.call().range(0))));
    assertEquals(RangeRead.State.DRAINING, read.read().state());
    assertEquals(1_000, fixture.credit.bytes() - fixture.credit.freeBytes());
    fixture.settle();
    assertEquals(1_000, read.result().length());
    fixture.finish();
  }

  @Test
  void sinksThatWaitForOneAnotherEndWithLittleMemoryToo() {
    SessionFixture fixture = SessionFixture.open(object);
    CreditPool pool = new CreditPool(8L * MIB);
    CompletableFuture<Void> all = new CompletableFuture<>();
    int[] arrived = new int[1];
    List<TestRead> reads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      QueueSettings queue =
          new QueueSettings(fixture.blocking, fixture.loop::execute, pool, QueueSettings.UNLIMITED);
      reads.add(
          fixture.submit(
              ByteRange.of(i, MIB),
              new AsyncSinkDestination(
                  chunk -> {
                    if (++arrived[0] == 20) {
                      all.complete(null);
                    }
                    return all;
                  },
                  queue)));
    }
    FakeCall call = fixture.call();
    for (int i = 0; i < call.ranges().size(); i++) {
      call.answer(TestObject.of(object.whole(call.range(i))));
      fixture.settle();
    }
    reads.forEach(read -> assertEquals(MIB, read.result().length()));
    assertEquals(8L * MIB, pool.freeBytes());
    fixture.finish();
  }

  @Test
  void aSinkForWhichOthersLeaveNoMemoryEndsAfterItsLimit() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.credit.take(fixture.credit.freeBytes());
    TestRead early = fixture.sink(ByteRange.of(0, 100), chunk -> {});
    fixture.advance(Duration.ofMinutes(5));
    TestRead late = fixture.sink(ByteRange.of(0, 100), chunk -> {});
    fixture.advance(Duration.ofMinutes(5));
    String message = early.failure(RangeTimeoutException.class).getMessage();
    assertTrue(message.contains("sinkMemoryBytes"), message);
    assertFalse(late.isEnded());
    fixture.credit.give(fixture.credit.bytes());
    fixture.settle();
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    assertEquals(100, late.result().length());
    fixture.finish();
  }

  private void outOfRange(SessionFixture fixture, boolean named) {
    FakeCall call = fixture.call();
    ReadRange last = call.range(call.ranges().size() - 1);
    if (named) {
      call.rangeErrors(
          StatusCode.OUT_OF_RANGE,
          new StreamEnd.RangeError(last.getReadId(), StatusCode.OUT_OF_RANGE, "beyond the end"));
    } else {
      call.end(StatusCode.OUT_OF_RANGE);
    }
    // Nothing of the user's: its sink takes its time.
    fixture.loop.runTasks();
  }

  private void endsWhileItsSinkIsBusy(boolean named) {
    TestObject growing = new TestObject(2 * MIB, false, 9);
    SessionFixture fixture = SessionFixture.open(growing);
    long[] seen = new long[1];
    TestRead read = fixture.sink(ByteRange.from(0), chunk -> seen[0] += chunk.length());
    long id = fixture.call().range(0).getReadId();
    fixture.call().answer(TestObject.of(growing.chunk(id, 0, 2 * MIB).build()));
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.loop.advance(Duration.ofSeconds(2));
    int opens = fixture.transport.calls().size();
    assertEquals(2L * MIB, fixture.call().range(0).getReadOffset(), "resumed at the end");
    for (int i = 0;
        i < 1_000 && fixture.call().ranges().size() > 0 && !fixture.call().isOver();
        i++) {
      outOfRange(fixture, named);
    }
    int more = fixture.transport.calls().size() - opens;
    RangeRead.State state = read.read().state();
    fixture.settle();
    fixture.close();
    assertTrue(more <= 1, "opens, while no time passed: " + more);
    assertEquals(RangeRead.State.DRAINING, state);
    assertEquals(2L * MIB, read.result().length());
  }

  @Test
  void aRangeCalledOutOfRangeByNameWhileItsSinkIsBusyIsNotAskedForAgain() {
    endsWhileItsSinkIsBusy(true);
  }

  @Test
  void aRangeCalledOutOfRangeWithoutNameWhileItsSinkIsBusyIsNotAskedForAgain() {
    endsWhileItsSinkIsBusy(false);
  }

  /** A sink that is not called before the range fails has got nothing. */
  @Test
  void bytesThatWaitedInTheQueueOfASinkAndWereDroppedDoNotCountAsDelivered() {
    SessionFixture fixture = SessionFixture.open(object);
    long[] seen = new long[1];
    TestRead read = new TestRead(ByteRange.of(0, 8L * MIB), counting(fixture, seen), true);
    fixture.submit(Duration.ofSeconds(5).toNanos(), read);
    long id = fixture.call().range(0).getReadId();
    // One chunk is handed to the executor and the sink sees it; the next three wait behind it.
    fixture.call().answer(TestObject.of(object.chunk(id, 0, MIB).build()));
    fixture.call().answer(TestObject.of(object.chunk(id, MIB, MIB).build()));
    fixture.call().answer(TestObject.of(object.chunk(id, 2L * MIB, MIB).build()));
    fixture.loop.advance(Duration.ofSeconds(6));
    fixture.settle();
    GcsException failure = (GcsException) read.failure();
    assertEquals(seen[0], failure.context().bytesDelivered(), "bytes that the sink saw");
    fixture.finish();
  }

  private static ExecutorSinkDestination counting(SessionFixture fixture, long[] seen) {
    return new ExecutorSinkDestination(chunk -> seen[0] += chunk.length(), fixture.queue());
  }

  /** All its bytes have come and been verified; only its sink is still at them. */
  @Test
  void aSessionThatFailsLeavesARangeAloneThatHasAllItsBytes() {
    SessionFixture fixture = SessionFixture.open(object);
    long[] seen = new long[1];
    TestRead done = fixture.submit(ByteRange.of(0, MIB), counting(fixture, seen));
    TestRead other = fixture.read(ByteRange.of(0, 10));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.call().end(StatusCode.NOT_FOUND);
    fixture.settle();
    assertTrue(other.failure() instanceof GcsException);
    assertEquals(MIB, done.result().length());
    fixture.finish();
  }

  /** The same on an idle stream: nobody waits for anything of it. */
  @Test
  void anIdleStreamThatFailsLeavesARangeAloneThatHasAllItsBytes() {
    SessionFixture fixture = SessionFixture.open(object);
    long[] seen = new long[1];
    TestRead done = fixture.submit(ByteRange.of(0, MIB), counting(fixture, seen));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.call().end(StatusCode.PERMISSION_DENIED);
    fixture.settle();
    assertEquals(MIB, done.result().length());
    fixture.finish();
  }

  @Test
  void aSessionThatFailedAndIsClosedFailsWhatIsStillAtItsSink() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.sink(ByteRange.of(0, MIB), chunk -> {});
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.call().end(StatusCode.PERMISSION_DENIED);
    fixture.loop.runTasks();
    fixture.callbacks.runAll();
    assertFalse(read.isEnded());
    assertEquals(0, fixture.stopped, "its sink still drains");
    fixture.session.close("closed by the test");
    fixture.settle();
    read.failure(SessionClosedException.class);
    assertEquals(1, fixture.stopped);
    fixture.finish();
  }
}
