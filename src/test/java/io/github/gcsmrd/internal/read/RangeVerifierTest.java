// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.wire.RangeData;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RangeVerifierTest {
  private static final WholeObject HUNDRED = new WholeObject(100, OptionalInt.of(1));
  private static final OptionalInt CRC = OptionalInt.of(Answer.crc(Answer.bytes(0, 100)));

  private final ChunkHasher hasher = new ChunkHasher();

  private static RangeData unchecked(long offset, int length) {
    ObjectRangeData.Builder data = Answer.builder(offset, length);
    data.getChecksummedDataBuilder().clearCrc32C();
    return Answer.of(data).data();
  }

  /** Delivers a part of an answer, whose hash is right. */
  private void deliver(RangeVerifier verifier, Answer answer, int skip, int take) {
    int surplus = answer.data().content().length() - skip - take;
    Placement placement = new Placement(skip, take, surplus);
    long from = answer.data().offset() + skip;
    Piece piece = new Piece(null, answer.data(), placement, from, false, null);
    verifier.delivering(piece, answer.crc32c(), hasher);
  }

  private void deliver(RangeVerifier verifier, long offset, int length) {
    deliver(verifier, Answer.of(offset, length, false), 0, length);
  }

  @Test
  void offHashesNothingAndMatchesEverything() {
    RangeVerifier off = new RangeVerifier(false, true);
    Answer answer = Answer.of(0, 100, false);
    assertFalse(off.needsHash(answer.data()));
    assertFalse(off.needsHash(unchecked(0, 100)));
    assertTrue(off.matches(answer.data(), answer.crc32c() + 1));
    deliver(off, 0, 100);
    assertFalse(off.allChecked());
    assertEquals(OptionalInt.empty(), off.wholeCrc32c(100, HUNDRED));
  }

  @Test
  void onHashesWhatHasAChecksumOrBelongsToTheWhole() {
    assertTrue(new RangeVerifier(true, false).needsHash(Answer.of(0, 1, false).data()));
    assertFalse(new RangeVerifier(true, false).needsHash(unchecked(0, 1)));
    assertTrue(new RangeVerifier(true, true).needsHash(unchecked(0, 1)));
    assertFalse(new RangeVerifier(true, true).needsHash(Answer.of(0, 0, true).data()));
  }

  @Test
  void aChecksumIsComparedIfThereIsOne() {
    RangeVerifier on = new RangeVerifier(true, false);
    Answer answer = Answer.of(0, 10, false);
    assertTrue(on.matches(answer.data(), answer.crc32c()));
    assertFalse(on.matches(answer.data(), answer.crc32c() ^ 1));
    assertTrue(on.matches(unchecked(0, 10), 4_711));
    ObjectRangeData.Builder zero = Answer.builder(0, 10);
    zero.getChecksummedDataBuilder().setCrc32C(0);
    assertFalse(on.matches(Answer.of(zero).data(), answer.crc32c()), "0 is a checksum");
  }

  @Test
  void theWholeIsCombinedFromItsParts() {
    RangeVerifier on = new RangeVerifier(true, true);
    deliver(on, 0, 30);
    // The first 5 bytes came before, the last 10 were not asked for.
    deliver(on, Answer.of(25, 35, false), 5, 20);
    assertEquals(OptionalInt.empty(), on.wholeCrc32c(50, HUNDRED), "not the whole");
    deliver(on, 50, 50);
    assertEquals(CRC, on.wholeCrc32c(100, HUNDRED));
    assertEquals(OptionalInt.empty(), on.wholeCrc32c(100, WholeObject.UNKNOWN));
    assertEquals(OptionalInt.empty(), on.wholeCrc32c(100, new WholeObject(101, OptionalInt.of(1))));
    assertTrue(on.allChecked());
  }

  /** A hash that is wrong on purpose shows in the whole: it was taken as it is. */
  @Test
  void aCompleteChunkIsNotHashedTwice() {
    RangeVerifier on = new RangeVerifier(true, true);
    Answer answer = Answer.of(0, 100, false);
    Piece piece = new Piece(null, answer.data(), new Placement(0, 100, 0), 0, true, null);
    on.delivering(piece, answer.crc32c() ^ 1, hasher);
    assertEquals(OptionalInt.of(CRC.getAsInt() ^ 1), on.wholeCrc32c(100, HUNDRED));
  }

  @Test
  void aRangeThatDoesNotStartAtTheFirstByteIsNoWhole() {
    RangeVerifier suffix = new RangeVerifier(true, true);
    deliver(suffix, 1, 99);
    assertEquals(OptionalInt.empty(), suffix.wholeCrc32c(99, HUNDRED));
    deliver(suffix, 0, 100);
    assertEquals(OptionalInt.empty(), suffix.wholeCrc32c(100, HUNDRED), "given up for good");
    assertFalse(suffix.needsHash(unchecked(0, 1)), "nobody needs it any more");
  }

  @Test
  void oneUncheckedChunkIsEnoughNotToBeVerified() {
    RangeVerifier on = new RangeVerifier(true, true);
    deliver(on, 0, 50);
    assertTrue(on.allChecked());
    RangeData data = unchecked(50, 50);
    Piece piece = new Piece(null, data, new Placement(0, 50, 0), 50, true, null);
    on.delivering(piece, Answer.crc(Answer.bytes(50, 50)), hasher);
    assertFalse(on.allChecked());
    assertEquals(CRC, on.wholeCrc32c(100, HUNDRED), "the whole can still be checked");
  }

  @Test
  void anEmptyWholeHasTheChecksumOfNothing() {
    RangeVerifier on = new RangeVerifier(true, true);
    assertEquals(OptionalInt.of(0), on.wholeCrc32c(0, new WholeObject(0, OptionalInt.of(0))));
  }
}
