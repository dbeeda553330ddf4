// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadHandle;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ObjectInfo;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResponseParserTest {
  private final AtomicInteger freed = new AtomicInteger();

  @Test
  void anEmptyMessageIsASignOfLife() {
    ReceivedMessage message = received(new byte[0]);
    assertEquals(0, message.rangeCount());
    assertEquals(Optional.empty(), message.metadata());
    assertTrue(message.readHandle().isEmpty());
    message.close();
    assertEquals(1, freed.get());
  }

  @Test
  void aRangeBringsItsFields() {
    ReceivedMessage message = received(oneRange("payload".getBytes(), 0).toByteArray());
    RangeData range = message.range(0);
    assertTrue(range.hasReadRange());
    assertEquals(42, range.readId());
    assertEquals(1L << 40, range.offset());
    assertEquals(7, range.length());
    assertTrue(range.rangeEnd());
    assertTrue(range.hasChecksum(), "a checksum of 0 is one");
    assertEquals(0, range.crc32c());
    assertArrayEquals("payload".getBytes(), range.content().toByteArray(0, 7));
  }

  @Test
  void anAbsentChecksumIsNone() {
    byte[] data = LooseWriter.minimal().bytesField(1, new byte[] {1}).toByteArray();
    byte[] range = LooseWriter.minimal().bytesField(1, data).toByteArray();
    assertFalse(received(inRangeField(range)).range(0).hasChecksum());
  }

  @Test
  void emptyContentIsOneObject() {
    RangeData range = received(oneRange(new byte[0], 1).toByteArray()).range(0);
    assertSame(Content.empty(), range.content());
  }

  @Test
  void theContentIsAViewOfTheFragments() {
    byte[] bytes = oneRange(new byte[1000], 1).toByteArray();
    ByteBuffer[] fragments = Fragments.even(bytes, 100, true);
    Content content = received(fragments).range(0).content();
    assertEquals(fragments.length, content.bufferCount());
    byte[] before = content.toByteArray(0, 1000);
    fragments[5].put(50, (byte) 9);
    byte[] after = content.toByteArray(0, 1000);
    int changed = Arrays.mismatch(before, after);
    assertEquals(9, after[changed]);
    assertEquals(-1, Arrays.mismatch(before, changed + 1, 1000, after, changed + 1, 1000));
  }

  @Test
  void theHandleAndTheMetadataOutliveTheMessage() {
    byte[] bytes =
        BidiReadObjectResponse.newBuilder()
            .setReadHandle(BidiReadHandle.newBuilder().setHandle(ByteString.copyFromUtf8("handle")))
            .setMetadata(com.google.storage.v2.Object.newBuilder().setName("name"))
            .build()
            .toByteArray();
    ReceivedMessage message = received(bytes);
    Arrays.fill(bytes, (byte) 0);
    assertArrayEquals("handle".getBytes(), message.readHandle().orElseThrow());
    assertEquals("name", message.metadata().orElseThrow().object());
  }

  @Test
  void aHandleWithoutBytesIsNone() {
    byte[] bytes = LooseWriter.minimal().bytesField(7, new byte[0]).toByteArray();
    assertTrue(received(bytes).readHandle().isEmpty());
  }

  @Test
  void metadataThatSaysLittleIsUnknown() {
    byte[] metadata = LooseWriter.minimal().varintField(6, -5).toByteArray();
    byte[] bytes = LooseWriter.minimal().bytesField(4, metadata).toByteArray();
    ObjectInfo info = received(bytes).metadata().orElseThrow();
    assertEquals(
        new ObjectInfo(
            "",
            "",
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            "",
            OptionalInt.empty(),
            Optional.empty(),
            ""),
        info);
  }

  @Test
  void aFinalizeTimeThatCannotBeStillSaysFinalized() {
    assertEquals(Instant.MAX, finalizeTime(Long.MAX_VALUE, 0));
    assertEquals(Instant.MIN, finalizeTime(Long.MIN_VALUE, -1));
    assertEquals(Instant.ofEpochSecond(5, 999_999_999), finalizeTime(5, Integer.MAX_VALUE));
    assertEquals(Instant.ofEpochSecond(5), finalizeTime(5, -1));
  }

  @Test
  void malformedInputSaysWhereAndIsFreedOnce() {
    byte[] bytes = LooseWriter.minimal().varintField(1, 1).raw(0x32, 0x05, 0x0A).toByteArray();
    Response response = parse(Fragments.whole(bytes));
    assertEquals(new MalformedResponse("length 5 where 1 bytes are left at byte 4"), response);
    assertEquals(1, freed.get());
    response.close();
    assertEquals(1, freed.get());
  }

  @Test
  void aVarintThatLeavesItsMessageIsRefusedAtOnce() {
    byte[] bytes =
        LooseWriter.minimal().raw(0x32, 0x02, 0x18, 0x81, 0x01).raw(new byte[20]).toByteArray();
    assertEquals(
        new MalformedResponse("truncated varint at byte 5"), parse(Fragments.whole(bytes)));
  }

  @Test
  void onlyTheFirstFragmentsCount() {
    ByteBuffer[] fragments = {ByteBuffer.wrap(new byte[] {0x32, 0x00}), null, null};
    MessageMemory memory = new MessageMemory(2, freed::incrementAndGet);
    Response response = ResponseParser.parse(fragments, 1, memory);
    assertEquals(1, assertInstanceOf(ReceivedMessage.class, response).rangeCount());
  }

  @Test
  void aFaultOfTheParserFailsTheMessageAndFreesIt() {
    Response response = parse(new ByteBuffer[] {ByteBuffer.allocate(0), null});
    String reason = assertInstanceOf(MalformedResponse.class, response).reason();
    assertTrue(reason.startsWith("the parser failed: java.lang.NullPointerException"), reason);
    assertEquals(1, freed.get());
  }

  @Test
  void aMessageOverTwoGigabytesIsRefused() {
    ByteBuffer shared = ByteBuffer.allocate(1 << 20);
    ByteBuffer[] fragments = new ByteBuffer[2048];
    Arrays.fill(fragments, shared);
    assertInstanceOf(MalformedResponse.class, parse(fragments));
    assertEquals(1, freed.get());
  }

  private Instant finalizeTime(long seconds, int nanos) {
    byte[] time = LooseWriter.minimal().varintField(1, seconds).varintField(2, nanos).toByteArray();
    byte[] metadata = LooseWriter.minimal().bytesField(36, time).toByteArray();
    byte[] bytes = LooseWriter.minimal().bytesField(4, metadata).toByteArray();
    return received(bytes).metadata().orElseThrow().finalizeTime().orElseThrow();
  }

  private static byte[] inRangeField(byte[] range) {
    return LooseWriter.minimal().bytesField(6, range).toByteArray();
  }

  private static BidiReadObjectResponse oneRange(byte[] payload, int crc) {
    return BidiReadObjectResponse.newBuilder()
        .addObjectDataRanges(
            ObjectRangeData.newBuilder()
                .setReadRange(
                    ReadRange.newBuilder()
                        .setReadId(42)
                        .setReadOffset(1L << 40)
                        .setReadLength(payload.length))
                .setRangeEnd(true)
                .setChecksummedData(
                    ChecksummedData.newBuilder()
                        .setContent(ByteString.copyFrom(payload))
                        .setCrc32C(crc)))
        .build();
  }

  private ReceivedMessage received(byte[] bytes) {
    return received(Fragments.whole(bytes));
  }

  private ReceivedMessage received(ByteBuffer[] fragments) {
    return assertInstanceOf(ReceivedMessage.class, parse(fragments));
  }

  private Response parse(ByteBuffer[] fragments) {
    MessageMemory memory = new MessageMemory(0, freed::incrementAndGet);
    return ResponseParser.parse(fragments, fragments.length, memory);
  }
}
