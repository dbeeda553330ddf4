// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.IncompleteRangeException;
import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionCorruptionTest {
  private final TestObject object = new TestObject(1_000, true, 8);

  private static ObjectRangeData corrupt(ObjectRangeData data) {
    ObjectRangeData.Builder corrupt = data.toBuilder();
    corrupt.getChecksummedDataBuilder().setCrc32C(data.getChecksummedData().getCrc32C() ^ 1);
    return corrupt.build();
  }

  @Test
  void aCorruptChunkIsAskedForAgainUnderANewIdOnTheSameStream() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 30));
    TestRead neighbour = fixture.read(ByteRange.of(100, 30));
    FakeCall call = fixture.call();
    long id = call.range(0).getReadId();
    call.answer(TestObject.of(object.chunk(id, 0, 10).build()));
    call.answer(TestObject.of(corrupt(object.chunk(id, 10, 10).build())));
    // What follows under the old id is dropped, though it would fit.
    call.answer(TestObject.of(object.chunk(id, 10, 20).setRangeEnd(true).build()));
    assertEquals(3, call.ranges().size());
    assertEquals(10, call.range(2).getReadOffset());
    assertEquals(20, call.range(2).getReadLength());
    assertFalse(read.isEnded());
    call.answer(TestObject.of(object.whole(call.range(2)), object.whole(call.range(1))));
    fixture.settle();
    read.assertBytes(object.bytes(0, 30));
    neighbour.assertBytes(object.bytes(100, 130));
    fixture.transport.assertCalls(1);
    fixture.finish();
  }

  @Test
  void theRepairBudgetIsEachRangesOwn() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead broken = fixture.read(ByteRange.of(0, 30));
    TestRead healthy = fixture.read(ByteRange.of(100, 30));
    FakeCall call = fixture.call();
    for (int i = 0; i < 4; i++) {
      call.answer(TestObject.of(object.chunk(call.range(1).getReadId(), 100 + i, 1).build()));
      assertFalse(broken.isEnded());
      ReadRange last = call.range(i == 0 ? 0 : i + 1);
      call.answer(TestObject.of(corrupt(object.chunk(last.getReadId(), 0, 10).build())));
    }
    fixture.settle();
    DataCorruptionException failure = broken.failure(DataCorruptionException.class);
    assertEquals(0, failure.offset());
    assertEquals(TestObject.crc(object.bytes(0, 10)), failure.actualCrc32c());
    assertEquals(5, call.ranges().size());
    call.answer(TestObject.of(object.chunk(call.range(1).getReadId(), 104, 26).build()));
    fixture.settle();
    healthy.assertBytes(object.bytes(100, 130));
    fixture.finish();
  }

  @Test
  void deliveredBytesRenewTheRepairBudget() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 10));
    FakeCall call = fixture.call();
    for (int i = 0; i < 10; i++) {
      for (int fault = 0; fault < 3; fault++) {
        ReadRange range = call.range(call.ranges().size() - 1);
        call.answer(TestObject.of(corrupt(object.chunk(range.getReadId(), i, 1).build())));
      }
      ReadRange range = call.range(call.ranges().size() - 1);
      call.answer(TestObject.of(object.chunk(range.getReadId(), i, 1).build()));
    }
    fixture.settle();
    read.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void anAbsentChecksumIsNoZeroAndAZeroIsChecked() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead absent = fixture.read(ByteRange.of(0, 10));
    TestRead zero = fixture.read(ByteRange.of(20, 10));
    FakeCall call = fixture.call();
    ObjectRangeData.Builder unchecked = object.whole(call.range(0)).toBuilder();
    unchecked.getChecksummedDataBuilder().clearCrc32C();
    ObjectRangeData.Builder wrong = object.whole(call.range(1)).toBuilder();
    wrong.getChecksummedDataBuilder().setCrc32C(0);
    call.answer(TestObject.of(unchecked.build(), wrong.build()));
    fixture.settle();
    absent.assertBytes(object.bytes(0, 10));
    assertFalse(absent.result().verified());
    assertFalse(zero.isEnded());
    call.answer(TestObject.of(object.whole(call.range(2))));
    fixture.settle();
    zero.assertBytes(object.bytes(20, 30));
    assertTrue(zero.result().verified());
    fixture.finish();
  }

  @Test
  void aWholeObjectThatDoesNotMatchEndsTheRangeAndNothingElse() {
    TestObject other = new TestObject(1_000, true, 99);
    SessionFixture fixture = SessionFixture.open(other);
    TestRead whole = fixture.read(ByteRange.all());
    TestRead part = fixture.read(ByteRange.of(0, 10));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.whole(call.range(0))));
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.settle();
    assertEquals(1_000, whole.failure(DataCorruptionException.class).context().bytesDelivered());
    part.assertBytes(object.bytes(0, 10));
    assertEquals(2, call.ranges().size(), "it is not asked for again");
    fixture.finish();
  }

  @Test
  void aWholeObjectThatDoesNotMatchAfterALostEndLeavesTheNextRangeUnharmed() {
    TestObject other = new TestObject(1_000, true, 99);
    SessionFixture fixture = SessionFixture.open(other);
    TestRead whole = fixture.read(ByteRange.all());
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 0, 1_000).build()));
    call.end(StatusCode.UNAVAILABLE);
    fixture.settle();
    whole.failure(DataCorruptionException.class);
    TestRead next = fixture.read(ByteRange.of(0, 10));
    fixture.transport.assertCalls(2);
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    next.assertBytes(object.bytes(0, 10));
    fixture.finish();
  }

  @Test
  void aGapAnEarlyEndAndASurplusAreRepaired() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead gap = fixture.read(ByteRange.of(0, 30));
    TestRead early = fixture.read(ByteRange.of(100, 30));
    TestRead surplus = fixture.read(ByteRange.of(990, 30));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 10, 10).build()));
    call.answer(
        TestObject.of(object.chunk(call.range(1).getReadId(), 100, 10).setRangeEnd(true).build()));
    // The object has no byte 1000.
    call.answer(
        TestObject.of(
            TestObject.chunk(call.range(2).getReadId(), 990, new byte[30])
                .setRangeEnd(true)
                .build()));
    assertEquals(6, call.ranges().size());
    for (int i = 3; i < 6; i++) {
      call.answer(TestObject.of(object.whole(call.range(i))));
    }
    fixture.settle();
    gap.assertBytes(object.bytes(0, 30));
    early.assertBytes(object.bytes(100, 130));
    surplus.assertBytes(object.bytes(990, 1_000));
    fixture.finish();
  }

  @Test
  void anEarlyEndThatStaysFailsTheRangeWithTheTrueCount() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.of(0, 30));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 0, 10).build()));
    for (int i = 0; i < 4; i++) {
      call.answer(TestObject.of(TestObject.rangeEnd(call.range(i).getReadId()).build()));
    }
    fixture.settle();
    assertEquals(10, read.failure(IncompleteRangeException.class).context().bytesDelivered());
    fixture.finish();
  }

  @Test
  void aSuffixThatStartsElsewhereIsRepaired() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.last(10));
    FakeCall call = fixture.call();
    assertEquals(-10, call.range(0).getReadOffset());
    assertEquals(0, call.range(0).getReadLength());
    call.answer(
        TestObject.of(object.chunk(call.range(0).getReadId(), 995, 5).setRangeEnd(true).build()));
    assertFalse(read.isEnded());
    assertEquals(-10, call.range(1).getReadOffset());
    call.answer(TestObject.of(object.whole(call.range(1))));
    fixture.settle();
    read.assertBytes(object.bytes(990, 1_000));
    fixture.finish();
  }

  @Test
  void aSuffixIsResumedFromItsAbsoluteOffset() {
    SessionFixture fixture = SessionFixture.open(object);
    TestRead read = fixture.read(ByteRange.last(100));
    FakeCall call = fixture.call();
    call.answer(TestObject.of(object.chunk(call.range(0).getReadId(), 900, 30).build()));
    call.end(StatusCode.UNAVAILABLE);
    fixture.advance(Duration.ofSeconds(1));
    assertEquals(930, fixture.call().range(0).getReadOffset());
    assertEquals(70, fixture.call().range(0).getReadLength());
    fixture.call().answer(TestObject.of(object.whole(fixture.call().range(0))));
    fixture.settle();
    read.assertBytes(object.bytes(900, 1_000));
    fixture.finish();
  }
}
