// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {
  @ParameterizedTest
  @ValueSource(strings = {"abc", "my-bucket", "a.b_c-1", "0-0"})
  void takesBucketNames(String bucket) {
    assertEquals(bucket, Checks.bucketName(bucket));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ab", "Bucket", "-ab", "ab-", "a b", "gs://abc", "projects/_/buckets/abc"})
  void refusesOtherBucketNamesAndNamesThem(String bucket) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Checks.bucketName(bucket)).getMessage();
    assertTrue(message.startsWith("bucket ") && message.contains("'" + bucket + "'"), message);
  }

  @Test
  void objectNamesAreCountedInBytes() {
    assertEquals(1_024, Checks.objectName("x".repeat(1_024)).length());
    assertThrows(IllegalArgumentException.class, () -> Checks.objectName("x".repeat(1_025)));
    assertEquals(512, Checks.objectName("é".repeat(512)).length());
    assertThrows(IllegalArgumentException.class, () -> Checks.objectName("é".repeat(513)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a\nb", "a\rb", "\uD800"})
  void refusesObjectNamesThatCannotBe(String object) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Checks.objectName(object)).getMessage();
    assertTrue(message.startsWith("object "), message);
  }

  @Test
  void timesAreMoreThanZeroAndFitALong() {
    assertEquals(Duration.ofNanos(1), Checks.positive(Duration.ofNanos(1), "limit"));
    for (Duration wrong :
        new Duration[] {Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(200_000)}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> Checks.positive(wrong, "limit"))
              .getMessage();
      assertTrue(message.startsWith("limit ") && message.contains(wrong.toString()), message);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "authorization",
        "x-goog-request-params",
        "grpc-timeout",
        "x-bin",
        "user-agent",
        "with space",
        ""
      })
  void refusesHeadersThatAreNotTheCallers(String name) {
    assertThrows(IllegalArgumentException.class, () -> MrdOptions.builder().header(name, "value"));
  }

  @Test
  void headerValuesAreOneLineOfPrintableAscii() {
    MrdOptions.builder().header("x-mine", "a value");
    for (String wrong : new String[] {"a\nb", "é"}) {
      assertThrows(
          IllegalArgumentException.class, () -> MrdOptions.builder().header("x-mine", wrong));
    }
  }

  @Test
  void numbersStayInTheirRange() {
    assertEquals(5, Checks.inRange(5, 5, 5, "n"));
    assertEquals(
        "n must be from 1 to 4: 5",
        assertThrows(IllegalArgumentException.class, () -> Checks.inRange(5, 1, 4, "n"))
            .getMessage());
  }
}
