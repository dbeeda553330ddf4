// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ArgumentsTest {
  @Test
  void rangesHaveThreeForms() {
    assertEquals(ByteRange.of(3, 9), RangeArgument.parse("3:9"));
    assertEquals(ByteRange.of(1 << 20, 4 << 10), RangeArgument.parse("1MiB:4k"));
    assertEquals(ByteRange.from(7), RangeArgument.parse("7:"));
    assertEquals(ByteRange.last(4_096), RangeArgument.parse("-4096:"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "5", "-5", "-:", "5:-1", "-5:5", "--5:", "1:2:3", "a:b", ":5"})
  void otherRangesAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> RangeArgument.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "4096,4096",
    "1k,1024",
    "1KB,1024",
    "2MiB,2097152",
    "3g,3221225472",
    "1T,1099511627776",
    "9223372036854775807,9223372036854775807"
  })
  void byteCountsHaveUnits(String text, long bytes) {
    assertEquals(bytes, ByteCount.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "-1", "1.5k", "1x", "1kk", "9223372036854775808", "9999999999g"})
  void otherByteCountsAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> ByteCount.parse(text));
  }

  @Test
  void secondsAreWholeAndPositive() {
    assertEquals(Duration.ofSeconds(90), new Seconds().convert("90"));
    for (String text : new String[] {"", "0", "-1", "1.5", "10000000000"}) {
      assertThrows(TypeConversionException.class, () -> new Seconds().convert(text), text);
    }
  }

  @Test
  void objectsMayHoldSlashes() {
    assertEquals(new ObjectName("b", "x/y//z"), ObjectName.parse("gs://b/x/y//z"));
    assertEquals("gs://b/x", ObjectName.parse("gs://b/x").toString());
  }

  @ParameterizedTest
  @CsvSource({
    "file.bin,file.bin",
    "a/b/file.bin,file.bin",
    "a/b/,b",
    "..,_",
    "a/../..,_",
    ".hidden,_hidden",
    "-rf,_rf",
    "a\\b:c*d,a_b_c_d",
    "///,object"
  })
  void fileNamesAreTheLastPartMadeSafe(String object, String base) {
    assertEquals(base, FileNames.base(object));
  }

  @Test
  void fileNamesAreNotTooLong() {
    assertTrue(FileNames.base("x".repeat(1_000)).length() <= 120);
  }
}
