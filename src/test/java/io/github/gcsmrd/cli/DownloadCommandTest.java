// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DownloadCommandTest {
  private static final int SIZE = 5_000_011;
  private static final ObjectContent CONTENT = ObjectContent.generated(3, SIZE);

  @TempDir private Path directory;
  private FakeGcs server;

  @BeforeEach
  void start() throws IOException {
    server = FakeGcs.start();
    server.put("bucket", "a/b.bin", CONTENT);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Outcome download(String... args) {
    List<String> all = new ArrayList<>(List.of("download", "gs://bucket/a/b.bin"));
    all.addAll(List.of("--endpoint", server.endpoint(), "--retry-for", "5"));
    all.addAll(Arrays.asList(args));
    return Outcome.of(all.toArray(String[]::new));
  }

  private TreeSet<String> files() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  @Test
  void verifiesTheWholeObjectWithoutKeepingIt() {
    Outcome outcome = download();
    outcome.assertOk("ok: 1 range, 5000011 bytes, crc32c verified, \\d+\\.\\d\\d GB/s");
    assertTrue(outcome.err().endsWith("100 %\n"), outcome::toString);
  }

  @Test
  void writesAFileForEachRange() throws IOException {
    String out = directory.toString();
    download("--range", "0:1048576", "--range", "-4096:", "--range", "4999000:", "--out", out)
        .assertOk("ok: 3 ranges, 1053683 bytes, crc32c verified, .*");
    assertEquals(
        new TreeSet<>(List.of("b.bin-0-1048576", "b.bin-4995915-4096", "b.bin-4999000-1011")),
        files());
    assertFile("b.bin-0-1048576", 0, 1_048_576);
    assertFile("b.bin-4995915-4096", SIZE - 4_096, 4_096);
    assertFile("b.bin-4999000-1011", 4_999_000, 1_011);
  }

  private void assertFile(String name, long offset, int length) throws IOException {
    assertArrayEquals(
        CONTENT.read(offset, length), Files.readAllBytes(directory.resolve(name)), name);
  }

  @Test
  void writesTheWholeObjectAndAnEmptyRange() throws IOException {
    String out = directory.toString();
    download("--out", out).assertOk("ok: 1 range, 5000011 bytes, crc32c verified, .*");
    assertFile("b.bin-0-5000011", 0, SIZE);
    download("--range", "7:0", "--out", out)
        .assertOk("ok: 1 range, 0 bytes, crc32c not verified, .*");
    assertFile("b.bin-7-0", 7, 0);
  }

  @Test
  void standardOutputHoldsTheBytesAlone() {
    Outcome outcome = download("--range", "5:3000000", "--out", "-");
    assertEquals(0, outcome.status(), outcome::err);
    assertArrayEquals(CONTENT.read(5, 3_000_000), outcome.outBytes());
    assertTrue(outcome.err().contains("ok: 1 range, 3000000 bytes"), outcome::err);
  }

  @Test
  void standardOutputTakesOneRangeOnly() {
    download("--range", "0:1", "--range", "2:1", "--out", "-")
        .assertFailed(ExitStatus.USAGE, "--out - is for one range");
  }

  @Test
  void saysWhenNothingWasVerified() {
    download("--no-checksums", "--range", "0:9").assertOk("ok: 1 range, 9 bytes, crc32c not .*");
  }

  @Test
  void saysWhenTheServiceSentNoChecksum() {
    server.onRange(
        RangeMatch.any(), RangeScript.chunk(ChunkMatch.all(), ChunkFault.absentCrc32c()));
    download("--range", "0:9").assertOk("ok: 1 range, 9 bytes, crc32c not verified, .*");
  }

  @Test
  void keepsWhatSucceededAndDropsWhatFailed() throws IOException {
    download("--range", "0:10", "--range", "6m:1", "--out", directory.toString())
        .assertFailedAfterProgress(ExitStatus.FAILED, "1 of 2 ranges failed");
    assertEquals(new TreeSet<>(List.of("b.bin-0-10")), files());
    assertFile("b.bin-0-10", 0, 10);
  }

  @Test
  void namesOfObjectsNeverLeaveTheDirectory() throws IOException {
    server.put("bucket", "x/..", ObjectContent.of(new byte[] {1, 2, 3}));
    Path inner = directory.resolve("inner");
    Outcome.of(
            "download",
            "gs://bucket/x/..",
            "--endpoint",
            server.endpoint(),
            "--out",
            inner.toString())
        .assertOk("ok: 1 range, 3 bytes, .*");
    assertEquals(new TreeSet<>(List.of("inner")), files());
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(inner.resolve("_-0-3")));
  }
}
