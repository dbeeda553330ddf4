// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DestinationTooSmallException;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.IncompleteRangeException;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeObject;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Empty, negative, zero, huge and beyond-the-end ranges, and answers of odd lengths. */
@Timeout(60)
class OddRangesTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  @Test
  void b16_tailResumesAtItsRealOffset() {
    ObjectContent content = gcs.put(64);
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)));
    Download tail =
        gcs.opened()
            .downloadRanges(List.of(RangeRequest.into(new byte[10], 0, ByteRange.last(10))));
    RangeResult result = get(tail).get(0);
    assertEquals(54, result.offset());
    assertRange(content, 54, 10, result.buffer().orElseThrow());
    StreamRecord.Range first = gcs.server().stream(1).ranges().get(0);
    assertEquals(-10, first.offset());
    assertEquals(0, first.length());
    StreamRecord.Range second = gcs.server().stream(2).ranges().get(0);
    assertEquals(58, second.offset());
    assertTrue(second.length() == 6 || second.length() == 0, second::toString);
  }

  @Test
  void b17_tailLongerThanTheObject() {
    ObjectContent content = gcs.put(64);
    assertRange(content, 0, 64, get(gcs.open().read(ByteRange.last(1_000))));
  }

  @Test
  void b18_tailOfAnEmptyObject() {
    gcs.put(0);
    assertEquals(0, get(gcs.open().read(ByteRange.last(10))).length);
  }

  @Test
  void b18_rangeRefusedByTheClientIsNotSent() {
    ObjectContent content = gcs.put(64);
    MultiRangeDownloader mrd = gcs.opened();
    assertThrows(
        IllegalArgumentException.class, () -> mrd.read(ByteRange.of(0, Integer.MAX_VALUE)));
    assertThrows(
        IllegalArgumentException.class,
        () -> RangeRequest.into(new byte[5], 0, ByteRange.of(0, 10)));
    gcs.assertReads(mrd, content, 3, 4);
    assertEquals(1, gcs.server().stream(1).ranges().size());
  }

  @Test
  void b19_negativeOffsetIsRefusedWithAHint() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ByteRange.of(-10, 5));
    assertTrue(e.getMessage().contains("ByteRange.last"), e::getMessage);
    e = assertThrows(IllegalArgumentException.class, () -> ByteRange.from(-10));
    assertTrue(e.getMessage().contains("ByteRange.last"), e::getMessage);
  }

  @Test
  void b20_endBeyondALongIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> ByteRange.of(Long.MAX_VALUE - 5, 10));
  }

  @Test
  void b20_offsetsBeyondAnIntStayWhole() {
    long offset = (3L << 30) + 7;
    ObjectContent content = gcs.put(4L << 30);
    Download download =
        gcs.opened()
            .downloadRanges(List.of(RangeRequest.into(new byte[5], 0, ByteRange.of(offset, 5))));
    RangeResult result = get(download).get(0);
    assertEquals(3_221_225_479L, result.offset());
    assertRange(content, offset, 5, result.buffer().orElseThrow());
    assertEquals(3_221_225_479L, gcs.server().stream(1).ranges().get(0).offset());
  }

  /** The row speaks of an IndexOutOfBoundsException: what matters is that nothing is cut short. */
  @Test
  void b20_destinationWithTooLittleSpaceIsRefused() {
    byte[] array = new byte[10];
    assertThrows(
        IllegalArgumentException.class, () -> RangeRequest.into(array, 5, ByteRange.of(0, 10)));
    assertThrows(
        IndexOutOfBoundsException.class, () -> RangeRequest.into(array, 11, ByteRange.of(0, 0)));
    ByteBuffer limited = ByteBuffer.allocate(20).limit(9);
    assertThrows(
        IllegalArgumentException.class, () -> RangeRequest.into(limited, ByteRange.of(0, 10)));
  }

  @Test
  void b20_openRangeThatDoesNotFitFailsTyped() {
    ObjectContent content = gcs.put(64);
    MultiRangeDownloader mrd = gcs.opened();
    byte[] small = new byte[10];
    Download download =
        mrd.downloadRanges(List.of(RangeRequest.into(small, 0, ByteRange.from(20))));
    failure(DestinationTooSmallException.class, download.range(0));
    gcs.assertReads(mrd, content, 3, 4);
  }

  @Test
  void b21_lengthIsThatOfTheBytesDelivered() {
    ObjectContent content = gcs.put(50);
    byte[] destination = new byte[100];
    Download download =
        gcs.open().downloadRanges(List.of(RangeRequest.into(destination, 0, ByteRange.of(0, 100))));
    RangeResult result = get(download).get(0);
    assertEquals(50, result.length());
    assertRange(content, 0, 50, result.buffer().orElseThrow());
  }

  @Test
  void b24_emptyObjectByRangeEnd() {
    gcs.put(0);
    MultiRangeDownloader mrd = gcs.open();
    assertEquals(0, get(mrd.read(ByteRange.all())).length);
    assertEquals(0, get(mrd.read(ByteRange.of(0, 10))).length);
    assertEquals(0, get(mrd.read(ByteRange.from(0))).length);
  }

  @Test
  void b24_emptyObjectByOutOfRange() {
    gcs.put(0);
    gcs.server()
        .onRange(
            RangeMatch.any(),
            RangeScript.builder().fail(0, StatusCode.OUT_OF_RANGE, "nothing there").build());
    MultiRangeDownloader mrd = gcs.open();
    assertEquals(0, get(mrd.read(ByteRange.all())).length);
    assertEquals(0, get(mrd.read(ByteRange.of(0, 10))).length);
    assertEquals(0, get(mrd.read(ByteRange.last(10))).length);
  }

  @Test
  void b26_chunksWithoutContentAreNoEnd() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onRange(
            RangeMatch.any(),
            RangeScript.builder().emptyChunks(0, 5).emptyChunks(7, 5).chunkBytes(7).build());
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 10, 20);
    assertRange(content, 0, 100, get(mrd.read(ByteRange.all())));
    assertEquals(1, gcs.server().streams().size());
  }

  /** Each sign comes well within the stall timeout, all of them together take far longer. */
  @Test
  void b26_responsesWithoutRangesAreSignsOfLife() {
    ObjectContent content = gcs.put(100);
    StreamScript.Builder script = StreamScript.builder();
    for (int i = 0; i < 6; i++) {
      script.at(When.rangesReceived(1), StreamAction.delay(Duration.ofMillis(150)));
      script.at(When.rangesReceived(1), StreamAction.emptyResponses(1));
    }
    gcs.server().onStream(1, script.build());
    MultiRangeDownloader mrd = gcs.opened(options().stallTimeout(Duration.ofMillis(600)));
    gcs.assertReads(mrd, content, 10, 20);
    assertEquals(1, gcs.server().streams().size());
  }

  /** Whoever looped on nothing would be at it all the time between those signs. */
  @Test
  void b26_signsWithoutBytesCostNoProcessorTime() {
    ObjectContent content = gcs.put(100);
    StreamScript.Builder stream = StreamScript.builder();
    for (int i = 0; i < 5; i++) {
      stream.at(When.rangesReceived(2), StreamAction.emptyResponses(1));
      stream.at(When.rangesReceived(2), StreamAction.delay(Duration.ofMillis(200)));
    }
    gcs.server()
        .onStream(1, stream.build())
        .onRange(
            RangeMatch.any(), RangeScript.builder().emptyChunks(0, 5).emptyChunks(7, 5).build());
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 0, 10);
    Map<Long, Long> before = ClientThreads.cpuNanos();
    long begin = System.nanoTime();
    gcs.assertReads(mrd, content, 10, 20);
    long tookNanos = System.nanoTime() - begin;
    long usedNanos = ClientThreads.cpuNanosSince(before);
    assertTrue(tookNanos >= 1_000_000_000L, () -> "over after " + tookNanos + " ns");
    assertTrue(usedNanos < tookNanos / 5, () -> usedNanos + " of " + tookNanos + " ns");
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b27_surplusIsCut() {
    ObjectContent content = gcs.put(100);
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().surplus(5).build());
    ByteBuffer around = ByteBuffer.allocate(40);
    Download download =
        gcs.open()
            .downloadRanges(List.of(RangeRequest.into(around.slice(10, 20), ByteRange.of(10, 20))));
    RangeResult result = get(download).get(0);
    assertEquals(20, result.length());
    assertRange(content, 10, 20, around.slice(10, 20));
    assertEquals(ByteBuffer.allocate(10), around.slice(0, 10));
    assertEquals(ByteBuffer.allocate(10), around.slice(30, 10));
  }

  @Test
  void b27_surplusInChunksOfItsOwnIsCut() {
    ObjectContent content = gcs.put(100);
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().surplus(50).chunkBytes(5).build());
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 10, 20);
    gcs.assertReads(mrd, content, 60, 20);
  }

  static Stream<ChunkFault> malformed() {
    return Stream.of(
        ChunkFault.negativeOffset(),
        ChunkFault.negativeLength(),
        ChunkFault.noReadRange(),
        ChunkFault.offsetOffBy(20),
        ChunkFault.unknownReadId());
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void b28_malformedChunkIsRepaired(ChunkFault fault) {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(100).once(),
            RangeScript.builder().chunkBytes(10).chunk(ChunkMatch.index(1), fault).build());
    MultiRangeDownloader mrd = gcs.open();
    ByteBuffer hit = ByteBuffer.allocate(50);
    ByteBuffer other = ByteBuffer.allocate(200);
    get(
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(hit, ByteRange.of(100, 50)),
                RangeRequest.into(other, ByteRange.of(500, 200)))));
    assertRange(content, 100, 50, hit);
    assertRange(content, 500, 200, other);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void b28_malformedForEverFailsPrecisely(ChunkFault fault) {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(100),
            RangeScript.builder().chunkBytes(10).chunk(ChunkMatch.index(0), fault).build());
    MultiRangeDownloader mrd = gcs.open();
    CompletableFuture<byte[]> other = mrd.read(ByteRange.of(500, 1));
    GcsException e = failure(GcsException.class, mrd.read(ByteRange.of(100, 50)));
    assertEquals(ByteRange.of(100, 50), e.context().range().orElseThrow());
    assertRange(content, 500, 1, get(other));
  }

  @Test
  void b29_shortRangeOfAFinalizedObjectIsAskedForOn() {
    ObjectContent content = gcs.put(1_000);
    gcs.server().onRange(RangeMatch.offset(0).once(), RangeScript.builder().endAfter(30).build());
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 0, 100);
    StreamRecord.Range again = gcs.server().stream(1).ranges().get(1);
    assertEquals(30, again.offset());
    assertEquals(70, again.length());
  }

  @Test
  void b29_shortForEverFails() {
    gcs.put(1_000);
    gcs.server()
        .onRange(RangeMatch.offset(0), RangeScript.builder().endAfter(30).build())
        .onRange(RangeMatch.offset(30), RangeScript.builder().endAfter(0).build());
    IncompleteRangeException e =
        failure(IncompleteRangeException.class, gcs.opened().read(ByteRange.of(0, 100)));
    assertTrue(e.getMessage().contains("30 of 100"), e::getMessage);
    assertEquals(30, e.context().bytesDelivered());
  }

  @Test
  void b29_shortRangeAcrossTheEndIsNotShort() {
    ObjectContent content = gcs.put(1_000);
    assertRange(content, 950, 50, get(gcs.opened().read(ByteRange.of(950, 100))));
    assertEquals(1, gcs.server().stream(1).ranges().size());
  }

  @Test
  void rule06_rangeEndOnABadChunkIsNoEnd() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onRange(
            RangeMatch.offset(40).once(),
            RangeScript.builder()
                .chunkBytes(30)
                .chunk(ChunkMatch.index(1), ChunkFault.flippedBit())
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    assertRange(content, 40, 60, get(mrd.read(ByteRange.from(40))));
    StreamRecord.Range again = gcs.server().stream(1).ranges().get(1);
    assertEquals(70, again.offset());
  }

  @Test
  void rule07_echoedLengthIsNotBelieved() throws Exception {
    ObjectContent content = gcs.put(100);
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().hold(0, gcs.gate()).build());
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> read = mrd.read(ByteRange.of(10, 20));
    gcs.server().awaitRanges(1, SOON);
    long id = gcs.server().stream(1).ranges().get(0).readId();
    ObjectRangeData honest = RawResponses.piece(id, content, 10, 12, false);
    ObjectRangeData lying =
        honest.toBuilder()
            .setReadRange(honest.getReadRange().toBuilder().setReadLength(20))
            .build();
    gcs.server().perform(1, RawResponses.response(lying));
    gcs.server().perform(1, RawResponses.response(RawResponses.piece(id, content, 22, 8, true)));
    assertRange(content, 10, 20, get(read));
  }

  @Test
  void rule08_tailOfAGrowingObjectStaysWhereItBegan() {
    FakeObject object = gcs.put(64, ObjectOptions.builder().appendable().build());
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .at(When.sent(4), StreamAction.run(() -> object.append(new byte[30])))
                .at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    Download tail =
        gcs.opened()
            .downloadRanges(List.of(RangeRequest.into(new byte[10], 0, ByteRange.last(10))));
    RangeResult result = get(tail).get(0);
    assertEquals(54, result.offset());
    assertRange(object.content(), 54, 10, result.buffer().orElseThrow());
  }

  @Test
  void rule08_tailThatWasNeverAnsweredIsCountedFromTheEndAgain() {
    FakeObject object = gcs.put(64, ObjectOptions.builder().appendable().build());
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .at(When.rangesReceived(1), StreamAction.run(() -> object.append(new byte[30])))
                .at(When.rangesReceived(1), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    byte[] tail = get(gcs.opened().read(ByteRange.last(10)));
    assertRange(object.content(), 84, 10, tail);
    assertEquals(-10, gcs.server().stream(2).ranges().get(0).offset());
  }

  @Test
  void rule09_gapIsAskedForAgainUnderANewId() {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(100).once(), RangeScript.builder().chunkBytes(10).gap(30, 5).build());
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 100, 100);
    List<StreamRecord.Range> asked = gcs.server().stream(1).ranges();
    assertEquals(2, asked.size());
    assertEquals(130, asked.get(1).offset());
    assertEquals(70, asked.get(1).length());
    assertNotEquals(asked.get(0).readId(), asked.get(1).readId());
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 10, 25})
  void rule09_overlapIsTrimmed(long back) {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(100), RangeScript.builder().chunkBytes(10).overlap(30, back).build());
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 100, 100);
    assertEquals(1, gcs.server().stream(1).ranges().size());
  }
}
