// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadPositionTest {
  private static ReadPosition asked(ByteRange range) {
    ReadPosition position = ReadPosition.of(range);
    position.ask(Destination.UNLIMITED);
    return position;
  }

  /** Places a chunk and delivers what it brings. */
  private static void bring(ReadPosition position, long offset, int length) {
    position.deliver(position.place(offset, length).take());
  }

  @Test
  void aRangeIsAskedForAsItIs() {
    assertEquals(5, asked(ByteRange.of(5, 10)).wireOffset());
    assertEquals(10, asked(ByteRange.of(5, 10)).wireLength());
    assertEquals(5, asked(ByteRange.from(5)).wireOffset());
    assertEquals(0, asked(ByteRange.from(5)).wireLength());
    assertEquals(0, asked(ByteRange.all()).wireOffset());
    assertEquals(-7, asked(ByteRange.last(7)).wireOffset());
    assertEquals(0, asked(ByteRange.last(7)).wireLength());
  }

  @Test
  void onlyRangesWithoutBytesAreEmpty() {
    assertTrue(ReadPosition.isEmpty(ByteRange.of(5, 0)));
    assertTrue(ReadPosition.isEmpty(ByteRange.last(0)));
    assertFalse(ReadPosition.isEmpty(ByteRange.of(0, 1)));
    assertFalse(ReadPosition.isEmpty(ByteRange.from(0)));
    assertFalse(ReadPosition.isEmpty(ByteRange.all()));
  }

  @Test
  void aRangeWithAllItsBytesIsDeliveredAndNeverAskedForWithLengthZero() {
    ReadPosition position = asked(ByteRange.of(5, 10));
    bring(position, 5, 4);
    position.ask(Destination.UNLIMITED);
    assertEquals(9, position.wireOffset());
    assertEquals(6, position.wireLength());
    assertFalse(position.isDelivered());
    bring(position, 9, 6);
    assertTrue(position.isDelivered());
    assertTrue(position.isAskedReceived());
  }

  @Test
  void moreThanAskedForIsCut() {
    ReadPosition position = asked(ByteRange.of(5, 10));
    assertEquals(new Placement(0, 10, 3), position.place(5, 13));
  }

  @Test
  void anOverlapIsTrimmedAndAChunkBeforeThePositionBringsNothing() {
    ReadPosition position = asked(ByteRange.of(0, 10));
    bring(position, 0, 6);
    assertEquals(new Placement(2, 0, 0), position.place(1, 2));
    assertEquals(new Placement(6, 0, 0), position.place(0, 6));
    assertEquals(new Placement(3, 2, 0), position.place(3, 5));
    assertEquals(8, position.received());
  }

  @Test
  void aChunkBehindAGapOrAtAnImpossibleOffsetIsMisplaced() {
    ReadPosition position = asked(ByteRange.of(5, 10));
    assertTrue(position.place(6, 1).isMisplaced());
    assertTrue(position.place(-1, 1).isMisplaced());
    assertTrue(position.place(Long.MAX_VALUE, 1).isMisplaced());
    assertEquals(5, position.received());
  }

  @Test
  void whatWasReceivedButNotDeliveredIsAskedForAgain() {
    ReadPosition position = asked(ByteRange.from(0));
    position.place(0, 8);
    position.deliver(3);
    position.ask(Destination.UNLIMITED);
    assertEquals(3, position.wireOffset());
    assertEquals(3, position.received());
    assertEquals(0, position.wireLength());
  }

  @Test
  void aSuffixTakesItsOffsetFromTheFirstChunk() {
    ReadPosition position = asked(ByteRange.last(10));
    assertFalse(position.isResolved());
    bring(position, 90, 4);
    assertTrue(position.isResolved());
    assertEquals(90, position.start());
    assertEquals(100, position.end());
    position.ask(Destination.UNLIMITED);
    assertEquals(94, position.wireOffset());
    assertEquals(6, position.wireLength());
    assertEquals(4, position.deliveredBytes());
  }

  @Test
  void aSuffixOfWhichNothingWasDeliveredCountsFromTheEndAgain() {
    ReadPosition position = asked(ByteRange.last(10));
    position.place(90, 4);
    position.ask(Destination.UNLIMITED);
    assertFalse(position.isResolved());
    assertEquals(-10, position.wireOffset());
    assertEquals(0, position.wireLength());
    assertEquals(0, position.deliveredBytes());
    bring(position, 80, 10);
    assertTrue(position.isDelivered());
  }

  @Test
  void aSuffixLongerThanTheObjectEndsBeyondIt() {
    ReadPosition position = asked(ByteRange.last(Long.MAX_VALUE));
    bring(position, 0, 4);
    assertEquals(4, position.deliveredBytes());
    bring(asked(ByteRange.last(Long.MAX_VALUE)), 5, 4);
  }

  @Test
  void aCreditCutsWhatIsAskedFor() {
    ReadPosition position = ReadPosition.of(ByteRange.from(100));
    position.ask(30);
    assertEquals(30, position.wireLength());
    assertFalse(position.isAskedWhole());
    bring(position, 100, 30);
    assertTrue(position.isAskedReceived());
    assertFalse(position.isDelivered());
    position.ask(7);
    assertEquals(130, position.wireOffset());
    assertEquals(7, position.wireLength());
    assertTrue(position.isAskedUntouched());
    bring(position, 130, 1);
    assertFalse(position.isAskedUntouched());
  }

  @Test
  void aCreditAsLargeAsTheRestAsksForAllOfIt() {
    ReadPosition position = ReadPosition.of(ByteRange.of(0, 30));
    position.ask(30);
    assertTrue(position.isAskedWhole());
    assertEquals(30, position.wireLength());
  }

  @Test
  void theLengthIsKnownWhereItCanBe() {
    OptionalLong size = OptionalLong.of(100);
    OptionalLong none = OptionalLong.empty();
    assertEquals(10, ReadPosition.of(ByteRange.of(95, 10)).lengthIn(size));
    assertEquals(5, ReadPosition.of(ByteRange.from(95)).lengthIn(size));
    assertEquals(0, ReadPosition.of(ByteRange.from(101)).lengthIn(size));
    assertEquals(-1, ReadPosition.of(ByteRange.all()).lengthIn(none));
    assertEquals(7, ReadPosition.of(ByteRange.last(7)).lengthIn(none));
  }

  @Test
  void theLargestOffsetsDoNotOverflow() {
    ReadPosition position = asked(ByteRange.of(Long.MAX_VALUE - 10, 10));
    bring(position, Long.MAX_VALUE - 10, 10);
    assertEquals(10, position.deliveredBytes());
    assertTrue(position.place(Long.MAX_VALUE - 5, 10).isMisplaced());
  }
}
