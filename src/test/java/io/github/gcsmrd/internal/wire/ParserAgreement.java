// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.ObjectInfo;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Asserts that this library's parser and protobuf's own say the same of some bytes.
 *
 * <p>Protobuf's does not always agree with itself: it takes a varint of more than 10 bytes for two
 * fields if it has enough bytes in its buffer, and refuses it if it reads byte by byte. This
 * library's parser refuses it outside of the metadata, wherever buffers end.
 */
final class ParserAgreement {
  private ParserAgreement() {}

  /**
   * Parses with both and compares: the decision, every value, and what becomes of the memory.
   *
   * @param hint tells in a failure how to make the bytes again
   * @return whether the bytes are a message
   */
  static boolean check(byte[] bytes, ByteBuffer[] fragments, String hint) {
    String about = hint + ", bytes " + HexFormat.of().formatHex(bytes);
    int[] bounds = bounds(fragments);
    AtomicInteger freed = new AtomicInteger();
    MessageMemory memory = new MessageMemory(bytes.length, freed::incrementAndGet);
    Response response = ResponseParser.parse(fragments, fragments.length, memory);
    assertArrayEquals(bounds, bounds(fragments), "buffers moved: " + about);
    boolean valid = agree(bytes, response, about);
    assertEquals(valid ? 0 : 1, freed.get(), "freed by the parse: " + about);
    response.close();
    assertEquals(1, freed.get(), "freed after the close: " + about);
    return valid;
  }

  private static boolean agree(byte[] bytes, Response response, String about) {
    Optional<BidiReadObjectResponse> expected = parse(CodedInputStream.newInstance(bytes));
    if (response instanceof ReceivedMessage actual) {
      BidiReadObjectResponse message =
          expected.orElseThrow(() -> new AssertionError("protobuf refuses: " + about));
      assertSame(message, actual, about);
      return true;
    }
    String reason = ((MalformedResponse) response).reason();
    assertFalse(reason.startsWith("the parser failed"), reason + ": " + about);
    if (expected.isPresent()) {
      assertTrue(reason.startsWith("varint over 10 bytes"), reason + ": " + about);
      InputStream byteByByte = new ByteArrayInputStream(bytes);
      Optional<BidiReadObjectResponse> strict = parse(CodedInputStream.newInstance(byteByByte, 1));
      assertTrue(strict.isEmpty(), reason + ", though protobuf accepts: " + about);
    }
    return false;
  }

  private static Optional<BidiReadObjectResponse> parse(CodedInputStream in) {
    try {
      BidiReadObjectResponse message = BidiReadObjectResponse.parser().parseFrom(in);
      in.checkLastTagWas(0);
      return Optional.of(message);
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  private static int[] bounds(ByteBuffer[] fragments) {
    return Arrays.stream(fragments)
        .flatMapToInt(f -> IntStream.of(f.position(), f.limit()))
        .toArray();
  }

  private static void assertSame(
      BidiReadObjectResponse expected, ReceivedMessage actual, String about) {
    assertEquals(expected.getObjectDataRangesCount(), actual.rangeCount(), about);
    for (int i = 0; i < actual.rangeCount(); i++) {
      assertSame(expected.getObjectDataRanges(i), actual.range(i), "range " + i + ": " + about);
    }
    ByteString handle = expected.getReadHandle().getHandle();
    assertEquals(handle.isEmpty(), actual.readHandle().isEmpty(), about);
    actual.readHandle().ifPresent(h -> assertArrayEquals(handle.toByteArray(), h, about));
    assertEquals(expected.hasMetadata(), actual.metadata().isPresent(), about);
    actual.metadata().ifPresent(info -> assertSame(expected.getMetadata(), info, about));
  }

  private static void assertSame(ObjectRangeData expected, RangeData actual, String about) {
    assertEquals(expected.hasReadRange(), actual.hasReadRange(), about);
    assertEquals(expected.getReadRange().getReadId(), actual.readId(), about);
    assertEquals(expected.getReadRange().getReadOffset(), actual.offset(), about);
    assertEquals(expected.getReadRange().getReadLength(), actual.length(), about);
    assertEquals(expected.getRangeEnd(), actual.rangeEnd(), about);
    assertEquals(expected.getChecksummedData().hasCrc32C(), actual.hasChecksum(), about);
    assertEquals(expected.getChecksummedData().getCrc32C(), actual.crc32c(), about);
    Content content = actual.content();
    assertArrayEquals(
        expected.getChecksummedData().getContent().toByteArray(),
        content.toByteArray(0, content.length()),
        about);
  }

  private static void assertSame(
      com.google.storage.v2.Object expected, ObjectInfo actual, String about) {
    assertEquals(expected.getBucket().replace("projects/_/buckets/", ""), actual.bucket(), about);
    assertEquals(expected.getName(), actual.object(), about);
    assertEquals(unlessZero(expected.getGeneration()), actual.generation(), about);
    assertEquals(unlessZero(expected.getMetageneration()), actual.metageneration(), about);
    assertEquals(Math.max(-1, expected.getSize()), actual.sizeBytes().orElse(-1), about);
    assertEquals(expected.getContentEncoding(), actual.contentEncoding(), about);
    assertEquals(
        expected.getChecksums().hasCrc32C()
            ? OptionalInt.of(expected.getChecksums().getCrc32C())
            : OptionalInt.empty(),
        actual.crc32c(),
        about);
    assertEquals(expected.hasFinalizeTime(), actual.isFinalized(), about);
    assertEquals(Optional.of(expected.getEtag()), Optional.of(actual.etag()), about);
  }

  private static OptionalLong unlessZero(long number) {
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
