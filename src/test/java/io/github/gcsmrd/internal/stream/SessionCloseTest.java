// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionCloseTest {
  private final TestObject object = new TestObject(4 << 20, true, 10);

  @Test
  void anIdleStreamIsHalfClosedAndWaitedFor() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.close();
    assertTrue(fixture.call().isHalfClosed());
    assertEquals(0, fixture.stopped);
    fixture.call().answer(TestObject.handle((byte) 1));
    fixture.call().end(StatusCode.OK);
    fixture.settle();
    assertEquals(1, fixture.stopped);
    fixture.finish();
  }

  @Test
  void aServerThatDoesNotEndTheStreamIsCancelledAfterAWhile() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.close();
    fixture.advance(Duration.ofMillis(4_999));
    assertFalse(fixture.call().isOver());
    fixture.advance(Duration.ofMillis(1));
    assertEquals("closed", fixture.call().cancelReason());
    assertEquals(1, fixture.stopped);
    fixture.finish();
  }

  @Test
  void closingWithRangesPendingFailsThemAndCancels() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead asked = fixture.read(ByteRange.of(0, 10));
    TestRead draining = fixture.sink(ByteRange.of(0, 2 << 20), chunk -> {});
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(1))));
    fixture.session.close("closed by the test");
    fixture.loop.runTasks();
    assertTrue(fixture.call().isOver());
    fixture.settle();
    assertTrue(
        asked.failure(SessionClosedException.class).getMessage().contains("closed by the test"));
    draining.failure(SessionClosedException.class);
    assertEquals(1, fixture.stopped);
    fixture.finish();
  }

  @Test
  void closingWhileOpeningFailsTheOpen() {
    SessionFixture fixture = new SessionFixture().start();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.close();
    assertEquals(SessionClosedException.class, fixture.openFailures.get(0).getClass());
    read.failure(SessionClosedException.class);
    assertTrue(fixture.call().isOver());
    assertEquals(1, fixture.stopped);
    fixture.finish();
  }

  @Test
  void closingDuringABackOffLeavesNoTimer() {
    SessionFixture fixture = new SessionFixture().start();
    fixture.call().end(StatusCode.UNAVAILABLE);
    fixture.close();
    assertEquals(1, fixture.stopped);
    fixture.loop.assertNoMoreTasks();
    fixture.advance(Duration.ofMinutes(1));
    fixture.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void closingBeforeTheStartDoesNotOpen() {
    SessionFixture fixture = new SessionFixture();
    fixture.start();
    fixture.close();
    fixture.close();
    TestRead read = fixture.read(ByteRange.of(0, 10));
    fixture.settle();
    read.failure(SessionClosedException.class);
    fixture.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void closingAnIdleSessionWithoutAStreamStopsAtOnce() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.call().end(StatusCode.OK);
    fixture.close();
    assertEquals(1, fixture.stopped);
    fixture.finish();
  }

  @Test
  void closingWhileAHashRunsReleasesWhatIsHeld() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.offload.set(true);
    TestRead read = fixture.read(ByteRange.of(0, 2 << 20));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    assertEquals(1, fixture.transport.memoriesHeld());
    fixture.close();
    read.failure(SessionClosedException.class);
    fixture.finish();
  }

  @Test
  void anEndWaitsForTheHashesOfWhatCameBefore() {
    SessionFixture fixture = SessionFixture.open(object);
    fixture.offload.set(true);
    TestRead read = fixture.read(ByteRange.of(0, 2 << 20));
    TestRead other = fixture.read(ByteRange.of(0, 10));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 0, 1 << 20).build()));
    call.end(StatusCode.UNAVAILABLE);
    fixture.loop.advance(Duration.ofMinutes(1));
    fixture.transport.assertCalls(1);
    fixture.hashers.runAll();
    fixture.loop.runTasks();
    fixture.loop.advance(Duration.ofSeconds(1));
    fixture.transport.assertCalls(2);
    assertEquals(1 << 20, fixture.call().range(0).getReadOffset());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(1))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 2 << 20));
    other.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }
}
