// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A range is given up while it moves from a stream that broke to one that lives: once before each
 * turn of the two loops, so that its owner is asked for while it has the first, none, or the
 * second.
 */
class StreamSetAbandonTest {
  private final TestObject object = new TestObject(9 << 20, true, 3);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRangeGivenUpAtAnyTurnOfItsMoveEndsOnce(boolean homeFirst) {
    int turns = 0;
    while (giveUpBeforeTurn(turns, homeFirst)) {
      turns++;
    }
    assertTrue(turns > 3, () -> "no move to speak of");
  }

  /** Returns whether there was such a turn. */
  private boolean giveUpBeforeTurn(int turn, boolean homeFirst) {
    StreamSetFixture fixture = StreamSetFixture.open(object, 1, 2);
    List<TestRead> reads = fixture.large(4);
    fixture.call(1).answer(object.metadata());
    fixture.settle();
    fixture
        .call(1)
        .postEnd(FakeCall.status(StatusCode.UNAVAILABLE, "broken", StreamEnd.Origin.SERVER));
    boolean reached = run(fixture, turn, homeFirst);
    TestRead given = reads.get(1);
    given.abandon();
    fixture.set.abandon(given.read());
    fixture.settle();
    given.failure(CancellationException.class);
    fixture.answer(0, 0);
    for (TestRead read : reads) {
      read.assertOnce();
      assertTrue(read == given || read.succeeded(), read::toString);
    }
    fixture.finish();
    return reached;
  }

  /** Runs so many turns, of one loop as long as it has some; returns whether there were as many. */
  private static boolean run(StreamSetFixture fixture, int turns, boolean homeFirst) {
    FakeLoop home = fixture.loops.get(0);
    FakeLoop other = fixture.loops.get(1);
    FakeLoop first = homeFirst ? home : other;
    FakeLoop second = homeFirst ? other : home;
    for (int i = 0; i < turns; i++) {
      if (!first.runOne() && !second.runOne()) {
        return false;
      }
    }
    return true;
  }
}
