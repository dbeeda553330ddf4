// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ConnectionChoiceTest {
  private final ConnectionChoice choice = new ConnectionChoice();

  private record Line(boolean isExtra, int calls, int activeStreams, OptionalInt toldLimit)
      implements ConnectionChoice.Candidate {

    /** One of the connections that are always there, with all its calls active. */
    static Line base(int calls) {
      return new Line(false, calls, calls, OptionalInt.empty());
    }

    static Line extra(int calls) {
      return new Line(true, calls, calls, OptionalInt.empty());
    }

    Line limit(int limit) {
      return new Line(isExtra, calls, Math.min(calls, limit), OptionalInt.of(limit));
    }

    Line active(int streams) {
      return new Line(isExtra, calls, streams, toldLimit);
    }
  }

  @Test
  void theLeastLoadedIsChosenAndOfEqualsTheFirst() {
    Line two = Line.base(2);
    assertSame(two, choice.choose(List.of(Line.base(3), two, Line.base(2)), null));
  }

  @Test
  void extraOnesAreForWhatTheOthersCannotTakeAndAreFilledInOrder() {
    Line almostFull = Line.base(99);
    assertSame(almostFull, choice.choose(List.of(almostFull, Line.extra(0)), null));
    Line firstExtra = Line.extra(50);
    assertSame(firstExtra, choice.choose(List.of(Line.base(100), firstExtra, Line.extra(0)), null));
  }

  @Test
  void aHundredIsAssumedWhereNothingIsTold() {
    assertNull(choice.choose(List.of(Line.base(100), Line.extra(100)), null));
    Line ninetyNine = Line.extra(99);
    assertSame(ninetyNine, choice.choose(List.of(Line.base(100), ninetyNine), null));
  }

  @Test
  void whatTheServerTellsGoesBeforeWhatIsAssumed() {
    Line roomy = Line.base(500).limit(1000);
    assertSame(roomy, choice.choose(List.of(roomy), null));
    assertNull(choice.choose(List.of(Line.base(2).limit(2)), null));
  }

  @Test
  void aConnectionThatIsNotUpIsExpectedToBeLikeTheOthers() {
    assertNull(choice.choose(List.of(Line.base(2).limit(2), Line.extra(2)), null));
    Line one = Line.extra(1);
    assertSame(one, choice.choose(List.of(Line.base(2).limit(2), one), null));
    // Also when the one that told it is gone.
    assertNull(choice.choose(List.of(Line.base(2)), null));
  }

  @Test
  void callsThatWaitCountAndStreamsThatHaveEndedHereDoNot() {
    assertNull(choice.choose(List.of(Line.base(2).limit(2).active(0)), null));
    Line ending = Line.base(1).limit(2).active(2);
    assertSame(ending, choice.choose(List.of(ending), null));
  }

  @Test
  void aLoweredLimitCountsAtOnceAndRoomComesBackBelowIt() {
    assertNull(choice.choose(List.of(Line.base(5).limit(3)), null));
    assertNull(choice.choose(List.of(Line.base(3).limit(3)), null));
    Line two = Line.base(2).limit(3);
    assertSame(two, choice.choose(List.of(two), null));
  }

  @Test
  void theAvoidedOneIsNotChosen() {
    Line avoided = Line.base(0);
    assertNull(choice.choose(List.of(avoided), avoided));
    Line other = Line.base(5);
    assertSame(other, choice.choose(List.of(avoided, other), avoided));
  }

  /** Else each look for room would open a connection. */
  @Test
  void aServerThatAllowsNoneGetsOneCallOnEachConnection() {
    Line empty = Line.base(0).limit(0);
    assertSame(empty, choice.choose(List.of(empty), null));
    assertNull(choice.choose(List.of(Line.base(1).limit(0)), null));
    Line unknown = Line.extra(0);
    assertSame(unknown, choice.choose(List.of(Line.base(1).limit(0), unknown), null));
  }

  @Test
  void excessIsWhatTheToldLimitDoesNotCarry() {
    assertEquals(3, ConnectionChoice.excess(Line.base(5).limit(2)));
    assertEquals(0, ConnectionChoice.excess(Line.base(2).limit(2)));
    assertEquals(0, ConnectionChoice.excess(Line.base(500)));
  }

  @Test
  void fullIsWhatHttp2SaysNotWhatIsAssumed() {
    assertTrue(ConnectionChoice.isFull(Line.base(5).limit(2)));
    assertTrue(ConnectionChoice.isFull(Line.base(0).limit(0)));
    assertFalse(ConnectionChoice.isFull(Line.base(5).limit(2).active(1)));
    assertFalse(ConnectionChoice.isFull(Line.base(100)));
  }

  /** As when sessions come one by one and the choice's answer is followed. */
  @Test
  void noConnectionGetsMoreThanItsLimit() {
    List<Line> lines = new ArrayList<>(List.of(Line.base(0).limit(7), Line.base(0).limit(7)));
    for (int i = 0; i < 50; i++) {
      Line chosen = choice.choose(lines, null);
      int at = chosen == null ? lines.size() : lines.indexOf(chosen);
      if (chosen == null) {
        lines.add(Line.extra(1).limit(7));
      } else {
        lines.set(at, new Line(chosen.isExtra, chosen.calls + 1, 0, chosen.toldLimit));
      }
    }
    assertEquals(8, lines.size());
    assertEquals(50, lines.stream().mapToInt(Line::calls).sum());
    assertTrue(lines.stream().allMatch(line -> line.calls <= 7), lines.toString());
  }
}
