// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.read.GrowingDestination;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamChoiceTest {
  private record Stream(StreamHealth health, long loadBytes, boolean isHome)
      implements StreamChoice.Candidate {}

  private static Stream stream(StreamHealth health, long loadBytes) {
    return new Stream(health, loadBytes, false);
  }

  @Test
  void theLeastLoadedOfTheHealthyIsChosen() {
    Stream busy = stream(StreamHealth.OPEN, 10);
    Stream opening = stream(StreamHealth.FRESH, 5);
    Stream idleButBroken = stream(StreamHealth.TROUBLED, 0);
    Stream over = stream(StreamHealth.ENDED, 0);
    assertSame(opening, StreamChoice.choose(List.of(over, idleButBroken, busy, opening), true));
    assertSame(idleButBroken, StreamChoice.choose(List.of(over, idleButBroken), true));
    assertSame(over, StreamChoice.choose(List.of(over), true));
  }

  @Test
  void amongEqualsItIsTheFirst() {
    Stream first = stream(StreamHealth.OPEN, 7);
    Stream second = stream(StreamHealth.OPEN, 7);
    assertSame(first, StreamChoice.choose(List.of(first, second), true));
  }

  @Test
  void whatBelongsToALoopGoesToTheHomeLoopWhateverItsHealth() {
    Stream idle = stream(StreamHealth.OPEN, 0);
    Stream home = new Stream(StreamHealth.TROUBLED, 99, true);
    assertSame(home, StreamChoice.choose(List.of(idle, home), false));
    assertNull(StreamChoice.choose(List.of(idle), false));
  }

  @Test
  void aStreamMoreIsWantedForEachEightMebibytes() {
    long busy = StreamChoice.BUSY_BYTES;
    assertEquals(1, StreamChoice.wanted(0, 1, 4));
    assertEquals(1, StreamChoice.wanted(busy, 1, 4));
    assertEquals(2, StreamChoice.wanted(busy + 1, 1, 4));
    assertEquals(4, StreamChoice.wanted(100 * busy, 1, 4));
    assertEquals(3, StreamChoice.wanted(0, 3, 4));
    assertEquals(4, StreamChoice.wanted(Long.MAX_VALUE - busy, 3, 4));
  }

  @Test
  void aRangeWeighsItsBytesWithinBounds() {
    assertEquals(StreamChoice.RANGE_BYTES + 10, weight(ByteRange.of(5, 10)));
    assertEquals(StreamChoice.RANGE_BYTES + 20, weight(ByteRange.last(20)));
    long most = StreamChoice.RANGE_BYTES + StreamChoice.HEAVIEST_BYTES;
    assertEquals(most, weight(ByteRange.of(0, 1L << 50)));
    assertEquals(most, weight(ByteRange.all()));
    assertEquals(most, weight(ByteRange.from(3)));
  }

  private static long weight(ByteRange range) {
    return StreamChoice.weigh(new TestRead(range, new GrowingDestination(0), true).read());
  }
}
