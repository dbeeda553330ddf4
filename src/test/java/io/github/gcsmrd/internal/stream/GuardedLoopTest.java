// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.SessionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardedLoopTest {
  @Test
  void tellsWhatATaskOrATimerThrows() {
    FakeLoop loop = new FakeLoop();
    List<Throwable> faults = new ArrayList<>();
    GuardedLoop guarded = new GuardedLoop(loop, faults::add);
    RuntimeException first = new RuntimeException("task");
    Error second = new AssertionError("timer");
    guarded.execute(
        () -> {
          throw first;
        });
    guarded.schedule(
        () -> {
          throw second;
        },
        5);
    loop.advance(Duration.ofNanos(5));
    assertEquals(2, faults.size());
    assertSame(first, faults.get(0));
    assertSame(second, faults.get(1));
  }

  /** A destination that breaks its contract in a task of the session's. */
  @Test
  void aFaultInATaskEndsEveryRangeOfTheSession() {
    TestObject object = new TestObject(1_000, true, 9);
    SessionFixture fixture = SessionFixture.open(object);
    TestRead neighbour = fixture.read(ByteRange.of(0, 10));
    TestRead faulty =
        fixture.submit(
            ByteRange.of(10, 10),
            new HoldingDestination() {
              @Override
              public long creditBytes() {
                return 0;
              }
            });
    fixture.settle();
    faulty.failure(SessionException.class);
    neighbour.failure(SessionException.class);
    fixture.finish();
  }
}
