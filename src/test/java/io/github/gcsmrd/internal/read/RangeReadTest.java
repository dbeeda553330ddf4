// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RangeReadTest {
  private final ChunkHasher hasher = new ChunkHasher();
  private WholeObject object = WholeObject.UNKNOWN;

  private static RangeRead asked(ByteRange range) {
    return asked(range, new GrowingDestination(16), true);
  }

  private static RangeRead asked(ByteRange range, Destination destination, boolean checking) {
    RangeRead read = new RangeRead(range, destination, new Nobody(), checking);
    read.ask(1, 0);
    return read;
  }

  private static final class Nobody implements RangeCompletion {
    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public boolean claim() {
      return true;
    }

    @Override
    public void succeed(RangeResult result) {}

    @Override
    public void fail(Throwable failure) {}

    @Override
    public void quiet() {}
  }

  private ReadStep settle(RangeRead read, Answer answer) {
    Piece piece = read.receive(answer.data(), 0);
    int crc = read.progress().needsHash(piece) ? answer.crc32c() : 0;
    ReadStep step = read.progress().settle(piece, crc, hasher, answer.memory(), object);
    assertEquals(1, answer.memory().references(), "a buffer keeps nothing");
    return step;
  }

  private ReadStep bring(RangeRead read, long offset, int length, boolean end) {
    return settle(read, Answer.of(offset, length, end));
  }

  private static <T extends ReadFault> T fault(Class<T> type, ReadStep step) {
    return assertInstanceOf(type, assertInstanceOf(ReadStep.Repair.class, step).fault());
  }

  private static void assertResult(RangeRead read, long offset, int length, boolean verified) {
    RangeResult result = read.progress().result();
    assertEquals(offset, result.offset());
    assertEquals(length, result.length());
    assertEquals(verified, result.verified());
    byte[] bytes = new byte[length];
    result.buffer().orElseThrow().get(0, bytes);
    assertArrayEquals(Answer.bytes(offset, length), bytes);
  }

  @Test
  void aRangeIsFinishedByItsLastByteOrByItsEnd() {
    RangeRead byBytes = asked(ByteRange.of(5, 10));
    assertSame(ReadStep.CONTINUE, bring(byBytes, 5, 4, false));
    assertSame(ReadStep.FINISHED, bring(byBytes, 9, 6, false));
    assertResult(byBytes, 5, 10, true);
    RangeRead byEnd = asked(ByteRange.from(5));
    assertSame(ReadStep.CONTINUE, bring(byEnd, 5, 4, false));
    assertSame(ReadStep.FINISHED, bring(byEnd, 0, 0, true));
    assertResult(byEnd, 5, 4, true);
  }

  @Test
  void anEndWithoutChecksummedDataIsAnEnd() {
    RangeRead read = asked(ByteRange.of(5, 10));
    bring(read, 5, 10, false);
    RangeRead open = asked(ByteRange.from(0));
    bring(open, 0, 3, false);
    ObjectRangeData.Builder end = Answer.builder(0, 0).clearChecksummedData().setRangeEnd(true);
    assertSame(ReadStep.FINISHED, settle(open, Answer.of(end)));
    assertResult(open, 0, 3, true);
  }

  @Test
  void emptyChunksChangeNothing() {
    RangeRead read = asked(ByteRange.of(0, 10));
    assertSame(ReadStep.CONTINUE, bring(read, 0, 0, false));
    assertSame(ReadStep.CONTINUE, bring(read, 4_711, 0, false));
    assertSame(ReadStep.FINISHED, bring(read, 0, 10, true));
  }

  @Test
  void theLastChunkIsCheckedBeforeTheEndCounts() {
    RangeRead read = asked(ByteRange.of(0, 10));
    ObjectRangeData.Builder wrong = Answer.builder(0, 10).setRangeEnd(true);
    wrong.getChecksummedDataBuilder().setCrc32C(1);
    ReadFault.Corrupt corrupt = fault(ReadFault.Corrupt.class, settle(read, Answer.of(wrong)));
    assertEquals(1, corrupt.expectedCrc32c());
    assertEquals(Answer.crc(Answer.bytes(0, 10)), corrupt.actualCrc32c());
    assertEquals(0, read.position().deliveredBytes());
  }

  @Test
  void aGapAndANegativeLengthAreFaults() {
    RangeRead read = asked(ByteRange.of(5, 10));
    ReadFault.Misplaced gap = fault(ReadFault.Misplaced.class, bring(read, 7, 2, false));
    assertEquals(5, gap.expectedOffset());
    assertEquals(7, gap.actualOffset());
    ObjectRangeData.Builder negative = Answer.builder(5, 2);
    negative.getReadRangeBuilder().setReadLength(-1);
    fault(ReadFault.NegativeLength.class, settle(read, Answer.of(negative)));
    assertEquals(0, read.position().deliveredBytes());
  }

  @Test
  void theEchoedLengthDoesNotCount() {
    RangeRead read = asked(ByteRange.of(0, 10));
    ObjectRangeData.Builder echo = Answer.builder(0, 4);
    echo.getReadRangeBuilder().setReadLength(10);
    assertSame(ReadStep.CONTINUE, settle(read, Answer.of(echo)));
    assertEquals(4, read.position().deliveredBytes());
  }

  @Test
  void anOverlapIsCheckedWholeAndDeliveredInPart() {
    RangeRead read = asked(ByteRange.of(0, 10));
    bring(read, 0, 6, false);
    assertSame(ReadStep.FINISHED, bring(read, 2, 8, true));
    assertResult(read, 0, 10, true);
  }

  @Test
  void aSurplusIsCut() {
    RangeRead read = asked(ByteRange.of(5, 10));
    assertSame(ReadStep.FINISHED, bring(read, 5, 30, true));
    assertResult(read, 5, 10, true);
  }

  @Test
  void anEarlyEndIsTheTrueCountWhereTheSizeIsUnknown() {
    RangeRead read = asked(ByteRange.of(5, 10));
    assertSame(ReadStep.FINISHED, bring(read, 5, 4, true));
    assertResult(read, 5, 4, true);
  }

  @Test
  void anEarlyEndIsAFaultWhereTheSizeIsKnown() {
    object = new WholeObject(12, OptionalInt.empty());
    RangeRead read = asked(ByteRange.of(5, 10));
    ReadFault.TooShort tooShort = fault(ReadFault.TooShort.class, bring(read, 5, 4, true));
    assertEquals(4, tooShort.deliveredBytes());
    assertEquals(7, tooShort.expectedBytes());
    read.rewind(object);
    read.ask(2, 0);
    assertSame(ReadStep.FINISHED, bring(read, 9, 3, true));
    assertResult(read, 5, 7, true);
  }

  @Test
  void bytesBeyondAKnownEndAreNotDelivered() {
    object = new WholeObject(12, OptionalInt.empty());
    RangeRead read = asked(ByteRange.from(5));
    assertEquals(3, fault(ReadFault.Surplus.class, bring(read, 5, 10, true)).bytes());
    assertEquals(0, read.position().deliveredBytes());
  }

  @Test
  void aSuffixMustStartWhereTheKnownSizeSays() {
    object = new WholeObject(12, OptionalInt.empty());
    RangeRead read = asked(ByteRange.last(5));
    assertEquals(7, fault(ReadFault.Misplaced.class, bring(read, 8, 4, true)).expectedOffset());
    assertSame(ReadStep.CONTINUE, read.rewind(object));
    assertEquals(-5, read.position().wireOffset());
    read.ask(2, 0);
    assertSame(ReadStep.FINISHED, bring(read, 7, 5, true));
    assertResult(read, 7, 5, true);
    RangeRead longer = asked(ByteRange.last(50));
    assertSame(ReadStep.FINISHED, bring(longer, 0, 12, true));
  }

  @Test
  void aWholeObjectIsCheckedByCombiningItsChunks() {
    object = new WholeObject(12, OptionalInt.of(Answer.crc(Answer.bytes(0, 12))));
    for (ByteRange range :
        new ByteRange[] {
          ByteRange.all(),
          ByteRange.from(0),
          ByteRange.of(0, 12),
          ByteRange.of(0, 50),
          ByteRange.last(12),
          ByteRange.last(99)
        }) {
      RangeRead read = asked(range);
      bring(read, 0, 5, false);
      // Of the overlap only a part counts.
      assertSame(ReadStep.FINISHED, bring(read, 3, 9, true), range::toString);
      assertResult(read, 0, 12, true);
    }
  }

  @Test
  void aWholeObjectWithoutChecksumsOfItsChunksIsVerifiedByItsOwn() {
    object = new WholeObject(12, OptionalInt.of(Answer.crc(Answer.bytes(0, 12))));
    RangeRead read = asked(ByteRange.all());
    ObjectRangeData.Builder unchecked = Answer.builder(0, 12).setRangeEnd(true);
    unchecked.getChecksummedDataBuilder().clearCrc32C();
    assertSame(ReadStep.FINISHED, settle(read, Answer.of(unchecked)));
    assertResult(read, 0, 12, true);
  }

  @Test
  void aWholeObjectThatDoesNotMatchFails() {
    object = new WholeObject(12, OptionalInt.of(77));
    ReadStep.Fail fail =
        assertInstanceOf(ReadStep.Fail.class, bring(asked(ByteRange.all()), 0, 12, true));
    assertEquals(
        new RangeFailure.WholeMismatch(77, Answer.crc(Answer.bytes(0, 12))), fail.failure());
    assertSame(
        ReadStep.FINISHED, bring(asked(ByteRange.of(0, 5)), 0, 5, true), "a part is not the whole");
  }

  @Test
  void withoutChecksumsNothingIsHashedOrVerified() {
    object = new WholeObject(12, OptionalInt.of(77));
    RangeRead read = asked(ByteRange.all(), new GrowingDestination(12), false);
    ObjectRangeData.Builder wrong = Answer.builder(0, 12).setRangeEnd(true);
    wrong.getChecksummedDataBuilder().setCrc32C(1);
    Answer answer = Answer.of(wrong);
    Piece piece = read.receive(answer.data(), 0);
    assertFalse(read.progress().needsHash(piece));
    assertSame(
        ReadStep.FINISHED, read.progress().settle(piece, 0, hasher, answer.memory(), object));
    assertResult(read, 0, 12, false);
  }

  @Test
  void aChunkWithoutAChecksumIsDeliveredUnverified() {
    RangeRead read = asked(ByteRange.of(5, 10));
    ObjectRangeData.Builder unchecked = Answer.builder(5, 4);
    unchecked.getChecksummedDataBuilder().clearCrc32C();
    assertSame(ReadStep.CONTINUE, settle(read, Answer.of(unchecked)));
    assertSame(ReadStep.FINISHED, bring(read, 9, 6, true));
    assertResult(read, 5, 10, false);
  }

  @Test
  void aSliceIsFollowedByTheNext() {
    Credit credit = new Credit(8);
    RangeRead read = asked(ByteRange.of(0, 20), credit, true);
    assertEquals(8, read.position().wireLength());
    assertSame(ReadStep.ASK_ON, bring(read, 0, 8, true));
    read.ask(2, 0);
    fault(ReadFault.Surplus.class, bring(read, 8, 12, true));
    assertEquals(16, read.position().delivered(), "what was asked for is delivered");
    read.ask(3, 0);
    assertSame(ReadStep.FINISHED, bring(read, 16, 4, true));
  }

  @Test
  void aSliceThatEndsEarlyOrAtTheObjectsEndIsTheLast() {
    RangeRead early = asked(ByteRange.from(0), new Credit(8), true);
    assertSame(ReadStep.FINISHED, bring(early, 0, 5, true));
    object = new WholeObject(8, OptionalInt.empty());
    RangeRead exact = asked(ByteRange.from(0), new Credit(8), true);
    assertSame(ReadStep.FINISHED, bring(exact, 0, 8, false));
  }

  @Test
  void aRewindGoesBackToTheDeliveredBytesAndKnowsWhatIsOver() {
    RangeRead read = asked(ByteRange.of(0, 10));
    bring(read, 0, 4, false);
    read.receive(Answer.of(4, 3, false).data(), 0);
    assertSame(ReadStep.CONTINUE, read.rewind(object));
    assertEquals(4, read.position().wireOffset());
    read.ask(2, 0);
    bring(read, 4, 6, false);
    assertSame(ReadStep.FINISHED, read.rewind(object));
    RangeRead open = asked(ByteRange.from(0));
    bring(open, 0, 12, false);
    assertSame(ReadStep.CONTINUE, open.rewind(object));
    object = new WholeObject(12, OptionalInt.empty());
    assertSame(ReadStep.FINISHED, open.rewind(object));
  }

  @Test
  void outOfRangeIsTheEndOnlyWhereNothingCanFollow() {
    assertTrue(asked(ByteRange.of(0, 5)).progress().isEndOfObject(object));
    assertTrue(asked(ByteRange.last(5)).progress().isEndOfObject(object));
    assertFalse(asked(ByteRange.of(1, 5)).progress().isEndOfObject(object));
    RangeRead resumed = asked(ByteRange.from(1));
    bring(resumed, 1, 5, false);
    assertFalse(resumed.progress().isEndOfObject(object));
    resumed.rewind(object);
    resumed.ask(2, 0);
    assertTrue(resumed.progress().isEndOfObject(object));
    assertFalse(resumed.progress().isEndOfObject(new WholeObject(7, OptionalInt.empty())));
    assertFalse(
        asked(ByteRange.of(0, 5))
            .progress()
            .isEndOfObject(new WholeObject(7, OptionalInt.empty())));
  }

  @Test
  void repairsAreRenewedByDeliveredBytesOnly() {
    RangeRead read = asked(ByteRange.of(0, 10));
    assertTrue(read.progress().repair(new ReadFault.Surplus(1), 2, 0));
    bring(read, 0, 0, false);
    assertTrue(read.progress().repair(new ReadFault.Surplus(1), 2, 0));
    assertFalse(read.progress().repair(new ReadFault.Surplus(1), 2, 0));
    bring(read, 0, 1, false);
    assertEquals(0, read.progress().repairs());
  }

  @Test
  void anEndIsSticky() {
    RangeRead read = asked(ByteRange.of(0, 10));
    read.end();
    assertTrue(read.isDone());
    assertThrows(IllegalStateException.class, () -> read.become(RangeRead.State.WAITING));
  }

  @Test
  void whatUserCodeThrowsFailsTheRange() {
    Error thrown = new StackOverflowError();
    RangeRead read =
        asked(
            ByteRange.of(0, 10),
            new LoopSinkDestination(
                chunk -> {
                  throw thrown;
                }),
            true);
    ReadStep.Fail fail = assertInstanceOf(ReadStep.Fail.class, bring(read, 0, 10, true));
    assertEquals(new RangeFailure.UserCode(thrown), fail.failure());
    RangeRead full = asked(ByteRange.from(0), new BufferDestination(ByteBuffer.allocate(5)), true);
    fail = assertInstanceOf(ReadStep.Fail.class, bring(full, 0, 10, true));
    assertInstanceOf(RangeFailure.Overflow.class, fail.failure());
    assertEquals(0, full.position().deliveredBytes());
  }

  /** Takes everything, but asks for little at once. */
  private record Credit(long creditBytes) implements Destination {
    @Override
    public void deliver(
        long position, long offset, Content content, int from, int length, MessageMemory memory) {}

    @Override
    public Optional<ByteBuffer> finish(long lengthBytes) {
      return Optional.empty();
    }
  }
}
