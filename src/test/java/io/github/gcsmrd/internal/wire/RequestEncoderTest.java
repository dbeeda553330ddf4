// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadHandle;
import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectSpec;
import com.google.storage.v2.CommonObjectRequestParams;
import com.google.storage.v2.ReadRange;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestEncoderTest {

  @Test
  void aSpecWithoutAnythingElse() {
    BidiReadObjectSpec.Builder spec =
        BidiReadObjectSpec.newBuilder().setBucket("projects/_/buckets/b").setObject("o");
    assertEncodes(request(spec), Optional.of(OpenSpec.of("b", "o")), new long[0], 0);
  }

  @Test
  void nothingIsNoBytes() {
    assertEquals(0, RequestEncoder.encode(Optional.empty(), new long[0], 0).length);
  }

  @Test
  void presentZerosAreSent() {
    OptionalLong zero = OptionalLong.of(0);
    OpenSpec spec =
        new OpenSpec(
            "b",
            "o",
            0,
            zero,
            zero,
            zero,
            zero,
            Optional.of(new byte[0]),
            Optional.of(""),
            Optional.empty());
    BidiReadObjectSpec.Builder expected =
        BidiReadObjectSpec.newBuilder()
            .setBucket("projects/_/buckets/b")
            .setObject("o")
            .setIfGenerationMatch(0)
            .setIfGenerationNotMatch(0)
            .setIfMetagenerationMatch(0)
            .setIfMetagenerationNotMatch(0)
            .setReadHandle(BidiReadHandle.getDefaultInstance())
            .setRoutingToken("");
    assertEncodes(request(expected), Optional.of(spec), new long[0], 0);
  }

  @Test
  void agreesWithProtobufOnRandomRequests() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      BidiReadObjectRequest.Builder expected = BidiReadObjectRequest.newBuilder();
      Optional<OpenSpec> spec = Optional.empty();
      if (random.nextBoolean()) {
        spec = Optional.of(randomSpec(random, expected.getReadObjectSpecBuilder()));
      }
      int count = random.nextInt(RequestEncoder.MAX_RANGES + 1);
      long[] ranges = new long[RequestEncoder.ELEMENTS_PER_RANGE * (count + random.nextInt(3))];
      for (int i = 0; i < count; i++) {
        ranges[3 * i] = number(random);
        ranges[3 * i + 1] = number(random);
        ranges[3 * i + 2] = number(random);
        expected.addReadRanges(
            ReadRange.newBuilder()
                .setReadOffset(ranges[3 * i])
                .setReadLength(ranges[3 * i + 1])
                .setReadId(ranges[3 * i + 2]));
      }
      byte[] encoded = RequestEncoder.encode(spec, ranges, count);
      assertArrayEquals(expected.build().toByteArray(), encoded, "seed " + seed);
    }
  }

  @Test
  void moreRangesThanOneRequestHoldsAreRefused() {
    long[] ranges = new long[303];
    Optional<OpenSpec> none = Optional.empty();
    assertThrows(IllegalArgumentException.class, () -> RequestEncoder.encode(none, ranges, 101));
    assertThrows(IllegalArgumentException.class, () -> RequestEncoder.encode(none, ranges, -1));
    assertThrows(
        IndexOutOfBoundsException.class, () -> RequestEncoder.encode(none, new long[5], 2));
  }

  @Test
  void aKeyIsCopiedAndNotShown() {
    byte[] key = {1, 2, 3};
    EncryptionKeyBytes copied = new EncryptionKeyBytes(key, key);
    key[0] = 9;
    assertArrayEquals(new byte[] {1, 2, 3}, copied.key());
    assertFalse(copied.toString().contains("1"));
  }

  private static OpenSpec randomSpec(Random random, BidiReadObjectSpec.Builder expected) {
    expected.setBucket("projects/_/buckets/bücket").setObject("ob/jéct 😀");
    long generation = number(random);
    expected.setGeneration(generation);
    OptionalLong[] conditions = new OptionalLong[4];
    for (int i = 0; i < conditions.length; i++) {
      conditions[i] = random.nextBoolean() ? OptionalLong.of(number(random)) : OptionalLong.empty();
    }
    conditions[0].ifPresent(expected::setIfGenerationMatch);
    conditions[1].ifPresent(expected::setIfGenerationNotMatch);
    conditions[2].ifPresent(expected::setIfMetagenerationMatch);
    conditions[3].ifPresent(expected::setIfMetagenerationNotMatch);
    Optional<byte[]> handle = chance(random, bytes(random, 300));
    handle.ifPresent(h -> expected.getReadHandleBuilder().setHandle(ByteString.copyFrom(h)));
    Optional<String> token = chance(random, "tökén".repeat(random.nextInt(60)));
    token.ifPresent(expected::setRoutingToken);
    Optional<EncryptionKeyBytes> key =
        chance(random, new EncryptionKeyBytes(bytes(random, 33), bytes(random, 33)));
    key.ifPresent(k -> expected.setCommonObjectRequestParams(params(k)));
    return new OpenSpec(
        "bücket",
        "ob/jéct 😀",
        generation,
        conditions[0],
        conditions[1],
        conditions[2],
        conditions[3],
        handle,
        token,
        key);
  }

  private static CommonObjectRequestParams params(EncryptionKeyBytes key) {
    return CommonObjectRequestParams.newBuilder()
        .setEncryptionAlgorithm("AES256")
        .setEncryptionKeyBytes(ByteString.copyFrom(key.key()))
        .setEncryptionKeySha256Bytes(ByteString.copyFrom(key.sha256()))
        .build();
  }

  private static <T> Optional<T> chance(Random random, T value) {
    return random.nextBoolean() ? Optional.of(value) : Optional.empty();
  }

  private static byte[] bytes(Random random, int bound) {
    byte[] bytes = new byte[random.nextInt(bound)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static long number(Random random) {
    return random.nextInt(4) == 0 ? 0 : random.nextLong() >> random.nextInt(64);
  }

  private static BidiReadObjectRequest request(BidiReadObjectSpec.Builder spec) {
    return BidiReadObjectRequest.newBuilder().setReadObjectSpec(spec).build();
  }

  private static void assertEncodes(
      BidiReadObjectRequest expected, Optional<OpenSpec> spec, long[] ranges, int count) {
    assertArrayEquals(expected.toByteArray(), RequestEncoder.encode(spec, ranges, count));
  }
}
