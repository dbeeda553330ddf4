// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FailureContextTest {
  private static FailureContext context(
      OptionalLong generation, Optional<ByteRange> range, int attempts, List<String> details) {
    return new FailureContext(
        "bucket",
        "a/b",
        generation,
        range,
        4_096,
        attempts,
        Duration.ofMillis(1_260),
        StatusCode.UNAVAILABLE,
        details);
  }

  @Test
  void aMessageSaysAllThatIsKnown() {
    FailureContext full =
        context(OptionalLong.of(7), Optional.of(ByteRange.of(0, 9_000)), 5, List.of("quota: x"));
    SessionException exception = new SessionException("it broke", full, null);
    assertEquals(
        "it broke (gs://bucket/a/b#7, range [0, 9000), 4096 bytes delivered, 5 attempts in 1.3 s,"
            + " UNAVAILABLE, details [quota: x])",
        exception.getMessage());
    assertEquals(StatusCode.UNAVAILABLE, exception.status());
    assertSame(full, exception.context());
  }

  @Test
  void aMessageLeavesOutWhatIsNot() {
    FailureContext little = context(OptionalLong.empty(), Optional.empty(), 1, List.of());
    assertEquals(
        "x (gs://bucket/a/b, UNAVAILABLE)", new SessionException("x", little, null).getMessage());
  }

  @Test
  void aCorruptionNamesTheOffsetAndBothChecksums() {
    FailureContext context =
        context(OptionalLong.of(7), Optional.of(ByteRange.all()), 4, List.of());
    DataCorruptionException exception =
        new DataCorruptionException("chunk", context, 99, 0xAB, -1, null);
    assertTrue(
        exception
            .getMessage()
            .startsWith("chunk at offset 99: expected crc32c 000000ab, actual ffffffff"));
    assertEquals(99, exception.offset());
  }

  @Test
  void codesAreThoseOfTheWire() {
    for (StatusCode code : StatusCode.values()) {
      assertSame(code, StatusCode.ofValue(code.value()));
    }
    assertSame(StatusCode.UNKNOWN, StatusCode.ofValue(17));
    assertSame(StatusCode.UNKNOWN, StatusCode.ofValue(-1));
    assertEquals(17, StatusCode.values().length);
  }
}
