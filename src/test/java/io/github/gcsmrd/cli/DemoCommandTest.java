// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.testing.ObjectContent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DemoCommandTest {
  @Test
  void readsAndComparesEveryByte() {
    Outcome outcome = Outcome.of("demo", "--size", "3000001", "--ranges", "7");
    outcome.assertOk("ok: 7 ranges, 3000001 bytes, crc32c verified, \\d+\\.\\d\\d GB/s");
    assertEquals("reading: 3000001 of 3000001 bytes, 100 %\n", outcome.err());
  }

  @Test
  void roundsButTheLastAreToldOnStandardError() {
    Outcome outcome = Outcome.of("demo", "--size", "1MiB", "--ranges", "4", "--rounds", "3");
    outcome.assertOk("ok: 4 ranges, 1048576 bytes, crc32c verified, .*");
    assertEquals(2, outcome.err().lines().filter(line -> line.startsWith("round ")).count());
  }

  @Test
  void refusesWhatCannotBe() {
    Outcome.of("demo", "--ranges", "0").assertFailed(ExitStatus.USAGE, "--ranges", "--help");
    Outcome.of("demo", "--size", "3").assertFailed(ExitStatus.USAGE, "--ranges must be 1 to");
    Outcome.of("demo", "--size", "9g", "--ranges", "2").assertFailed(ExitStatus.USAGE, "2 GiB");
    Outcome.of("demo", "--rounds", "0").assertFailed(ExitStatus.USAGE, "--rounds");
  }

  @Test
  void rangesCoverTheObjectOnceInShuffledOrder() throws CommandFailure {
    List<ByteRange.Bounded> ranges = new ArrayList<>();
    DemoPlan.of(1_003, 10, 1)
        .requests()
        .forEach(request -> ranges.add((ByteRange.Bounded) request.range()));
    List<ByteRange.Bounded> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(ByteRange.Bounded::offset));
    assertFalse(ranges.equals(sorted), ranges::toString);
    long end = 0;
    for (ByteRange.Bounded range : sorted) {
      assertEquals(end, range.offset());
      end += range.length();
    }
    assertEquals(1_003, end);
  }

  @Test
  void comparingFindsOneWrongByte() throws CommandFailure {
    byte[] bytes = new byte[1_000];
    DemoPlan plan = DemoPlan.of(bytes.length, 3, 1);
    plan.compare(ObjectContent.of(bytes));
    bytes[999] = 1;
    CommandFailure failure =
        assertThrows(CommandFailure.class, () -> plan.compare(ObjectContent.of(bytes)));
    assertEquals(ExitStatus.CORRUPT, failure.status());
    assertTrue(failure.getMessage().contains("666"), failure::getMessage);
  }
}
