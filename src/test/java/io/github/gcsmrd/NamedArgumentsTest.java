// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can't be is refused at the call, with the name of the argument and its value. */
class NamedArgumentsTest {
  private static final ByteRange RANGE = ByteRange.of(0, 4);

  static List<Arguments> nulls() {
    return List.of(
        of("name", () -> MrdOptions.builder().header(null, "v")),
        of("value", () -> MrdOptions.builder().header("x-a", null)),
        of("readHandle", () -> MrdOptions.builder().readHandle(null)),
        of("encryptionKey", () -> MrdOptions.builder().encryptionKey(null)),
        of("retryPolicy", () -> MrdOptions.builder().retryPolicy(null)),
        of("openTimeout", () -> MrdOptions.builder().openTimeout(null)),
        of("stallTimeout", () -> MrdOptions.builder().stallTimeout(null)),
        of("rangeTimeout", () -> MrdOptions.builder().rangeTimeout(null)),
        of("checksums", () -> DownloadOptions.builder().checksums(null)),
        of("timeout", () -> DownloadOptions.builder().timeout(null)),
        of("key", () -> EncryptionKey.of(null)),
        of("base64", () -> EncryptionKey.ofBase64(null)),
        of("bytes", () -> ReadHandle.of("bucket", "object", OptionalLong.empty(), null)),
        of("generation", () -> ReadHandle.of("bucket", "object", null, new byte[1])),
        of("bucket", () -> ReadHandle.of(null, "object", OptionalLong.empty(), new byte[1])),
        of("object", () -> ReadHandle.of("bucket", null, OptionalLong.empty(), new byte[1])),
        of("certificates", () -> builder().trustedCertificates((X509Certificate[]) null)),
        of("certificates[0]", () -> builder().trustedCertificates((X509Certificate) null)),
        of("endpoint", () -> builder().endpoint(null)),
        of("executor", () -> builder().callbackExecutor(null)),
        of("userAgent", () -> builder().userAgent(null)),
        of("userProject", () -> builder().userProject(null)),
        of("customizer", () -> builder().channelCustomizer(null)),
        of("delay", () -> new RetryPolicy.Verdict.Continue(null)),
        of("limit", () -> new RetryPolicy.Verdict.Exhausted(null)),
        of("status", () -> new RetryPolicy.Query(1, Duration.ZERO, null, true)),
        of("initialDelay", () -> RetryPolicy.builder().initialDelay(null)),
        of("destination", () -> RangeRequest.into((ByteBuffer) null, RANGE)),
        of("destination", () -> RangeRequest.into(null, 0, RANGE)),
        of("range", () -> RangeRequest.into(new byte[9], 0, null)),
        of("allocator", () -> RangeRequest.allocate(RANGE, null, b -> {})),
        of("release", () -> RangeRequest.allocate(RANGE, ByteBuffer::allocate, null)),
        of("sink", () -> RangeRequest.to(null, RANGE)),
        of("sink", () -> RangeRequest.toAsync(null, RANGE)),
        of("result", () -> new RangeOutcome.Succeeded(null)),
        of("range", () -> new RangeOutcome.Failed(null, new Exception())),
        of("failure", () -> new RangeOutcome.Failed(RANGE, null)),
        of("serverDetails", () -> context(null)),
        of("context", () -> new RangeException("what", null, null)),
        of("bytes", () -> ObjectContent.of((byte[]) null)),
        of("file", () -> ObjectContent.ofFile(null)),
        of("age", () -> FakeGcs.builder().maxConnectionAge(null, Duration.ZERO)),
        of("grace", () -> FakeGcs.builder().maxConnectionAge(Duration.ofSeconds(1), null)),
        of("latency", () -> FakeGcs.builder().latency(null)),
        of("executor", () -> FakeGcs.builder().executor(null)));
  }

  static List<Arguments> values() {
    return List.of(
        of("ifGenerationMatch must be 0 or more: -5", o -> o.ifGenerationMatch(-5)),
        of("ifGenerationNotMatch must be 0 or more: -1", o -> o.ifGenerationNotMatch(-1)),
        of("ifMetagenerationMatch must be 0 or more: -1", o -> o.ifMetagenerationMatch(-1)),
        of("ifMetagenerationNotMatch must be 0 or more: -1", o -> o.ifMetagenerationNotMatch(-1)),
        of("generation must be more than 0: 0", o -> o.generation(0)),
        of(
            "generation must be more than 0: -3",
            () -> ReadHandle.of("bucket", "object", OptionalLong.of(-3), new byte[1])),
        of("key must be 32 bytes for AES-256, is 5", () -> EncryptionKey.of(new byte[5])),
        of(
            "base64 must be 32 bytes for AES-256, is 5",
            () -> EncryptionKey.ofBase64(Base64.getEncoder().encodeToString(new byte[5]))),
        of(
            "range [0, 2147483648) has up to 2147483648 bytes, more than a buffer can have"
                + " (2147483647): use a sink",
            () -> RangeRequest.allocate(ByteRange.of(0, 1L << 31), ByteBuffer::allocate, b -> {})),
        of(
            "object can't hold carriage return or line feed: 'a\\nb\\r'",
            () -> Checks.objectName("a\nb\r")),
        of("latency is negative: PT-1S", () -> fake().latency(Duration.ofSeconds(-1))),
        of("port must be from 0 to 65535: 65536", () -> fake().port(65_536)),
        of(
            "flowControlWindowBytes must be 65535 or more: 7",
            () -> fake().flowControlWindowBytes(7)),
        of(
            "age must be more than zero: PT0S",
            () -> fake().maxConnectionAge(Duration.ZERO, Duration.ZERO)));
  }

  /** A call that sets an option. */
  private interface Setting {
    void of(MrdOptionsBuilder options);
  }

  private static Arguments of(String start, Executable call) {
    return Arguments.of(start, call);
  }

  private static Arguments of(String message, Setting setting) {
    return of(message, () -> setting.of(MrdOptions.builder()));
  }

  private static GcsClientBuilder builder() {
    return new GcsClientBuilder(Map.of());
  }

  private static io.github.gcsmrd.testing.FakeGcsBuilder fake() {
    return FakeGcs.builder();
  }

  private static FailureContext context(List<String> details) {
    return new FailureContext(
        "bucket",
        "object",
        OptionalLong.empty(),
        Optional.empty(),
        0,
        1,
        Duration.ZERO,
        StatusCode.OK,
        details);
  }

  @ParameterizedTest(name = "{index} {0}")
  @MethodSource("nulls")
  void nullsAreNamed(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @ParameterizedTest(name = "{index} {0}")
  @MethodSource("values")
  void valuesAreNamed(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void anOffsetOutsideOfAnArrayIsNamed() {
    for (int wrong : new int[] {6, -1}) {
      assertEquals(
          "offset must be from 0 to 5, the length of destination: " + wrong,
          assertThrows(
                  IndexOutOfBoundsException.class,
                  () -> RangeRequest.into(new byte[5], wrong, ByteRange.of(0, 0)))
              .getMessage());
    }
    RangeRequest.into(new byte[5], 5, ByteRange.of(0, 0));
  }

  @Test
  void aKeyThatIsNoBase64IsNotShown() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> EncryptionKey.ofBase64("hunter-two!"))
            .getMessage();
    assertTrue(message.startsWith("base64 "), message);
    assertFalse(message.contains("hunter"), message);
  }

  @Test
  void namesInMessagesAreOneShortLine() {
    for (String wrong : new String[] {"a\nb\t\u0007", "é\u2028".repeat(2_000), "\uD800x"}) {
      for (Executable call :
          List.<Executable>of(
              () -> Checks.bucketName(wrong), () -> Checks.objectName(wrong + "\r"))) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.length() < 800, message);
        assertTrue(message.codePoints().noneMatch(NamedArgumentsTest::breaksLines), message);
      }
    }
  }

  private static boolean breaksLines(int character) {
    return Character.isISOControl(character)
        || character == 0x2028
        || Character.getType(character) == Character.SURROGATE;
  }
}
