// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.internal.stream.SessionConfig;
import io.github.gcsmrd.internal.stream.SessionLimits;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** MrdOptions, what is in them, and the configuration made of them. */
class SessionOptionsTest {
  private static final byte[] KEY = new byte[32];

  private static ReadHandle handle(OptionalLong generation) {
    return ReadHandle.of("bucket", "object", generation, new byte[] {1, 2, 3});
  }

  @Test
  void theDefaultsAreThoseOfTheInside() {
    SessionConfig config = SessionConfigs.of("bucket", "object", MrdOptions.defaults());
    assertEquals(SessionLimits.defaults(), config.limits());
    assertEquals(OptionalLong.empty(), config.generation());
    assertTrue(config.readHandle().isEmpty());
    assertTrue(config.key().isEmpty());
    assertEquals(Map.of(), config.headers());
  }

  @Test
  void everyOptionArrives() {
    MrdOptions options =
        MrdOptions.builder()
            .generation(7)
            .ifGenerationMatch(1)
            .ifGenerationNotMatch(0)
            .ifMetagenerationMatch(3)
            .ifMetagenerationNotMatch(4)
            .readHandle(handle(OptionalLong.of(7)))
            .encryptionKey(EncryptionKey.of(KEY))
            .header("X-Mine", "v")
            .openTimeout(Duration.ofSeconds(1))
            .stallTimeout(Duration.ofSeconds(2))
            .rangeTimeout(Duration.ofSeconds(3))
            .build();
    SessionConfig config = SessionConfigs.of("bucket", "object", options);
    assertEquals(OptionalLong.of(7), config.generation());
    assertEquals(OptionalLong.of(1), config.ifGenerationMatch());
    assertEquals(OptionalLong.of(0), config.ifGenerationNotMatch());
    assertEquals(OptionalLong.of(3), config.ifMetagenerationMatch());
    assertEquals(OptionalLong.of(4), config.ifMetagenerationNotMatch());
    assertArrayEquals(new byte[] {1, 2, 3}, config.readHandle().orElseThrow());
    assertEquals(Map.of("x-mine", "v"), config.headers());
    assertEquals(1_000_000_000L, config.limits().openTimeoutNanos());
    assertEquals(2_000_000_000L, config.limits().stallTimeoutNanos());
    assertEquals(3_000_000_000L, config.limits().rangeTimeoutNanos());
  }

  @Test
  void aHandlePinsItsGeneration() {
    MrdOptions options = MrdOptions.builder().readHandle(handle(OptionalLong.of(9))).build();
    assertEquals(OptionalLong.of(9), SessionConfigs.of("bucket", "object", options).generation());
    MrdOptionsBuilder other =
        MrdOptions.builder().readHandle(handle(OptionalLong.of(9))).generation(8);
    assertThrows(IllegalArgumentException.class, other::build);
  }

  @Test
  void aHandleOfAnotherObjectIsRefused() {
    MrdOptions options = MrdOptions.builder().readHandle(handle(OptionalLong.empty())).build();
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> SessionConfigs.of("bucket", "other", options))
            .getMessage();
    assertTrue(message.contains("gs://bucket/object") && message.contains("gs://bucket/other"));
    assertThrows(
        IllegalArgumentException.class, () -> SessionConfigs.of("another", "object", options));
  }

  @Test
  void wrongNumbersAreRefused() {
    MrdOptionsBuilder builder = MrdOptions.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.generation(0));
    assertThrows(IllegalArgumentException.class, () -> builder.openTimeout(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.header("te", "x"));
  }

  @Test
  void noTextShowsAKeyOrAHandle() {
    byte[] secret =
        "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    String base64 = Base64.getEncoder().encodeToString(secret);
    MrdOptions options =
        MrdOptions.builder()
            .encryptionKey(EncryptionKey.ofBase64(base64))
            .readHandle(ReadHandle.of("bucket", "object", OptionalLong.empty(), secret))
            .header("x-secret", "hush")
            .build();
    for (String hidden : new String[] {base64, "0123456789abcdef", "hush"}) {
      assertFalse(options.toString().contains(hidden), options.toString());
    }
    assertTrue(options.toString().contains("x-secret"));
  }

  @Test
  void keysAndHandlesAreValuesThatNobodyCanChange() {
    byte[] bytes = KEY.clone();
    EncryptionKey key = EncryptionKey.of(bytes);
    bytes[0] = 1;
    assertEquals(EncryptionKey.of(KEY), key);
    assertEquals(EncryptionKey.of(KEY).hashCode(), key.hashCode());
    key.toByteArray()[0] = 1;
    assertArrayEquals(KEY, key.toByteArray());
    assertEquals(32, key.sha256().length);
    assertNotEquals(EncryptionKey.of(bytes), key);
    assertThrows(IllegalArgumentException.class, () -> EncryptionKey.of(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> EncryptionKey.ofBase64("no base64!"));
    ReadHandle handle = handle(OptionalLong.of(1));
    assertEquals(handle(OptionalLong.of(1)), handle);
    assertEquals(handle(OptionalLong.of(1)).hashCode(), handle.hashCode());
    assertNotEquals(handle(OptionalLong.empty()), handle);
    handle.toByteArray()[0] = 9;
    assertEquals(handle(OptionalLong.of(1)), handle);
    assertThrows(
        IllegalArgumentException.class,
        () -> ReadHandle.of("bucket", "object", OptionalLong.empty(), new byte[0]));
  }
}
