// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectError;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRangeError;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.RangeScript.RangeEnd;
import io.grpc.Status;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class RangeFaultsTest extends FakeGcsTestBase {

  @Test
  void spoilsOrDropsTheChecksumOfOneChunk() throws Exception {
    server.onRange(
        RangeMatch.offset(0).once(),
        RangeScript.builder()
            .chunk(ChunkMatch.index(0), ChunkFault.wrongCrc32c())
            .chunk(ChunkMatch.index(1), ChunkFault.absentCrc32c())
            .chunk(ChunkMatch.covering(29), ChunkFault.zeroCrc32c())
            .build());
    List<ObjectRangeData> pieces = read(0, 40);
    assertFalse(crcMatches(pieces.get(0)));
    assertFalse(pieces.get(1).getChecksummedData().hasCrc32C());
    assertTrue(pieces.get(2).getChecksummedData().hasCrc32C());
    assertEquals(0, pieces.get(2).getChecksummedData().getCrc32C());
    assertTrue(crcMatches(pieces.get(3)));
    assertArrayEquals(content(0, 40), bytes(pieces));
    assertTrue(read(0, 40).stream().allMatch(RangeFaultsTest::crcMatches), "once means once");
  }

  @Test
  void corruptsContentWithTheOldOrANewChecksum() throws Exception {
    server.onRange(
        RangeMatch.ordinal(1),
        RangeScript.builder()
            .chunk(ChunkMatch.index(0), ChunkFault.flippedBit())
            .chunk(ChunkMatch.index(1), ChunkFault.flippedBitWithMatchingCrc32c())
            .build());
    List<ObjectRangeData> pieces = read(0, 20);
    assertFalse(crcMatches(pieces.get(0)));
    assertTrue(crcMatches(pieces.get(1)));
    assertNotEquals(-1, Arrays.mismatch(content(0, 10), bytes(pieces.subList(0, 1))));
    assertNotEquals(-1, Arrays.mismatch(content(10, 10), bytes(pieces.subList(1, 2))));
    server.onRange(RangeMatch.any(), RangeScript.chunk(ChunkMatch.all(), ChunkFault.flippedBit()));
    FakeObject inMemory = server.put("bucket", "bytes", ObjectContent.of(content(0, 100)));
    RawStream stream = client.open(inMemory, 0, 10, 1).halfClose();
    stream.end();
    assertFalse(crcMatches(stream.pieces().get(0)));
    assertArrayEquals(content(0, 100), inMemory.content().read(0, 100), "the object is whole");
  }

  @Test
  void sendsLessOrMoreThanAsked() throws Exception {
    server.onRange(RangeMatch.offset(10), RangeScript.builder().endAfter(13).build());
    server.onRange(RangeMatch.offset(20), RangeScript.builder().surplus(5).build());
    server.onRange(RangeMatch.offset(90), RangeScript.builder().surplus(2).build());
    List<ObjectRangeData> few = read(10, 20);
    assertArrayEquals(content(10, 13), bytes(few));
    assertTrue(few.get(1).getRangeEnd());
    assertArrayEquals(content(20, 25), bytes(read(20, 20)));
    byte[] beyond = Arrays.copyOf(content(90, 10), 12);
    beyond[10] = (byte) 0xEE;
    beyond[11] = (byte) 0xEE;
    assertArrayEquals(beyond, bytes(read(90, 0)));
  }

  @Test
  void leavesGapsAndRepeats() throws Exception {
    server.onRange(RangeMatch.offset(10), RangeScript.builder().gap(8, 4).build());
    server.onRange(RangeMatch.offset(30), RangeScript.builder().overlap(0, 5).build());
    server.onRange(RangeMatch.offset(50), RangeScript.builder().overlap(20, 5).build());
    server.onRange(
        RangeMatch.offset(70), RangeScript.chunk(ChunkMatch.index(0), ChunkFault.offsetOffBy(-3)));
    assertEquals(List.of("10+8", "22+8 end"), describe(read(10, 20)));
    assertEquals(List.of("25+10", "35+10", "45+5 end"), describe(read(30, 20)));
    assertEquals(List.of("50+10", "60+10", "65+5 end"), describe(read(50, 20)));
    assertEquals(List.of("67+10", "80+10 end"), describe(read(70, 20)));
  }

  @Test
  void tellsTheEndOtherwise() throws Exception {
    end(0, RangeEnd.MISSING);
    end(20, RangeEnd.LATE);
    end(40, RangeEnd.LATE_WITHOUT_DATA);
    end(60, RangeEnd.TWICE);
    server.onRange(RangeMatch.offset(80), RangeScript.builder().earlyRangeEnd(5).build());
    assertEquals(List.of("0+10", "10+10"), describe(read(0, 20)));
    assertEquals(List.of("20+10", "30+10", "40+0 end"), describe(read(20, 20)));
    List<ObjectRangeData> without = read(40, 20);
    assertEquals(List.of("40+10", "50+10", "60+0 end"), describe(without));
    assertFalse(without.get(2).hasChecksummedData());
    assertEquals(List.of("60+10", "70+10 end", "80+0 end"), describe(read(60, 20)));
    assertEquals(List.of("80+5 end", "85+10", "95+5 end"), describe(read(80, 20)));
  }

  private void end(long offset, RangeEnd rangeEnd) {
    server.onRange(RangeMatch.offset(offset), RangeScript.builder().rangeEnd(rangeEnd).build());
  }

  @Test
  void holdsALateEndUntilTheGateOpens() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(
        RangeMatch.any(), RangeScript.builder().rangeEnd(RangeEnd.LATE).hold(10, gate).build());
    RawStream stream = client.open(object, 0, 10, 1);
    assertFalse(stream.next().getObjectDataRanges(0).getRangeEnd());
    gate.awaitReached(TIMEOUT);
    assertEquals(0, server.stream(1).rangesFinished());
    gate.open();
    assertTrue(stream.next().getObjectDataRanges(0).getRangeEnd());
    server.awaitStream(1, "end", record -> record.rangesFinished() == 1, TIMEOUT);
  }

  @Test
  void sendsChunksWithoutContent() throws Exception {
    server.onRange(RangeMatch.any(), RangeScript.builder().emptyChunks(5, 2).build());
    assertEquals(List.of("0+5", "5+0", "5+0", "5+10", "15+5 end"), describe(read(0, 20)));
  }

  @Test
  void sendsMalformedChunks() throws Exception {
    ChunkFault[] faults = {
      ChunkFault.noReadRange(),
      ChunkFault.negativeOffset(),
      ChunkFault.negativeLength(),
      ChunkFault.unknownReadId(),
      ChunkFault.noChecksummedData()
    };
    RangeScript.Builder script = RangeScript.builder();
    for (int i = 0; i < faults.length; i++) {
      script.chunk(ChunkMatch.index(i), faults[i]);
    }
    server.onRange(RangeMatch.any(), script.build());
    List<ObjectRangeData> pieces = read(0, 60);
    assertFalse(pieces.get(0).hasReadRange());
    assertEquals(-1, pieces.get(1).getReadRange().getReadOffset());
    assertEquals(-1, pieces.get(2).getReadRange().getReadLength());
    assertEquals(FakeGcs.UNKNOWN_READ_ID, pieces.get(3).getReadRange().getReadId());
    assertFalse(pieces.get(4).hasChecksummedData());
    assertEquals("50+10 end", describe(pieces).get(5));
  }

  @Test
  void holdsOneRangeWhileOthersGoOn() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(RangeMatch.offset(0), RangeScript.builder().hold(10, gate).build());
    RawStream stream = client.open(object, 0, 30, 1, 50, 30, 2);
    server.awaitStream(1, "range 2", record -> record.rangesFinished() == 1, TIMEOUT);
    assertEquals(40, server.stream(1).payloadBytesSent());
    gate.open();
    stream.halfClose();
    assertEquals(Status.Code.OK, stream.end().code());
    assertArrayEquals(content(0, 30), stream.bytes(1));
  }

  @Test
  void answersTheOpenThoughAllRangesAreHeld() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(RangeMatch.any(), RangeScript.builder().hold(0, gate).build());
    assertTrue(client.open(object, 0, 30, 1).next().hasMetadata());
  }

  @Test
  void breaksTheStreamAtAByteOfARange() throws Exception {
    server.onRange(
        RangeMatch.offset(50).onStream(1),
        RangeScript.builder()
            .chunkBytes(4)
            .at(6, StreamAction.end(StatusCode.UNAVAILABLE))
            .build());
    RawStream stream = client.open(object, 0, 40, 1, 50, 40, 2);
    assertEquals(Status.Code.UNAVAILABLE, stream.end().code());
    assertArrayEquals(content(50, 6), stream.bytes(2));
    assertArrayEquals(content(0, 30), stream.bytes(1));
    assertEquals(10, read(50, 10).size() * 10);
  }

  @Test
  void endsTheStreamForARangeBeyondTheEnd() throws Exception {
    for (long[] bad : new long[][] {{101, 0}, {0, -1}, {Long.MAX_VALUE, 5}}) {
      RawStream stream = client.open(object, 0, 10, 1, bad[0], bad[1], 2, 20, 10, 3);
      RawStream.End end = stream.end();
      assertEquals(Status.Code.OUT_OF_RANGE, end.code());
      assertEquals(List.of("2 OUT_OF_RANGE"), errors(end));
      assertEquals(List.of(), stream.received());
    }
  }

  @Test
  void listsOtherRangesOrNothingAsScripted() throws Exception {
    server.onNextStream(
        StreamScript.builder().rangeErrors(RangeErrorListing.allPending(StatusCode.OK)).build());
    server.onNextStream(
        StreamScript.builder()
            .rangeErrors(RangeErrorListing.allPending(StatusCode.ABORTED))
            .build());
    server.onNextStream(
        StreamScript.builder().rangeErrors(RangeErrorListing.fixed(StatusDetails.none())).build());
    long[] ranges = {0, 10, 1, 101, 0, 2, 20, 10, 3};
    assertEquals(
        List.of("1 OK", "2 OUT_OF_RANGE", "3 OK"), errors(client.open(object, ranges).end()));
    assertEquals(
        List.of("1 ABORTED", "2 OUT_OF_RANGE", "3 ABORTED"),
        errors(client.open(object, ranges).end()));
    assertFalse(client.open(object, ranges).end().hasDetails());
  }

  @Test
  void failsARangeMidwayWithAnyStatus() throws Exception {
    server.onRange(
        RangeMatch.offset(50),
        RangeScript.builder().fail(15, StatusCode.DATA_LOSS, "lost").build());
    RawStream stream = client.open(object, 50, 40, 5);
    RawStream.End end = stream.end();
    assertEquals(Status.Code.DATA_LOSS, end.code());
    assertEquals(List.of("5 DATA_LOSS"), errors(end));
    assertEquals(15, stream.bytes(5).length);
  }

  @Test
  void theScriptOfAStreamIsThatOfItsRanges() throws Exception {
    RangeScript silent = RangeScript.builder().rangeEnd(RangeEnd.MISSING).build();
    server.onStream(1, StreamScript.builder().ranges(silent).build());
    assertEquals(List.of("0+10"), describe(read(0, 10)));
    assertEquals(List.of("0+10 end"), describe(read(0, 10)));
  }

  private List<ObjectRangeData> read(long offset, long length) throws Exception {
    RawStream stream = client.open(object, offset, length, 1).halfClose();
    assertEquals(Status.Code.OK, stream.end().code());
    return stream.pieces();
  }

  private static List<String> describe(List<ObjectRangeData> pieces) {
    return pieces.stream()
        .map(
            piece ->
                piece.getReadRange().getReadOffset()
                    + "+"
                    + piece.getChecksummedData().getContent().size()
                    + (piece.getRangeEnd() ? " end" : ""))
        .toList();
  }

  private static byte[] bytes(List<ObjectRangeData> pieces) {
    return pieces.stream()
        .map(piece -> piece.getChecksummedData().getContent())
        .reduce((a, b) -> a.concat(b))
        .orElseThrow()
        .toByteArray();
  }

  private static boolean crcMatches(ObjectRangeData piece) {
    ChecksummedData data = piece.getChecksummedData();
    CRC32C crc = new CRC32C();
    crc.update(data.getContent().toByteArray());
    return data.getCrc32C() == (int) crc.getValue();
  }

  private static List<String> errors(RawStream.End end) throws Exception {
    return end.detail(BidiReadObjectError.class).getReadRangeErrorsList().stream()
        .map(RangeFaultsTest::describe)
        .toList();
  }

  private static String describe(ReadRangeError error) {
    return error.getReadId() + " " + StatusCode.ofValue(error.getStatus().getCode());
  }
}
