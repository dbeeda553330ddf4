// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of ranges that are not wholly there: nobody shares them, none stays. */
@Timeout(120)
class PartFilesTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final ObjectContent CONTENT = ObjectContent.generated(5, 3_000_000);

  private final Gate gate = Gate.closed();
  @TempDir private Path directory;
  private FakeGcs server;

  @BeforeEach
  void start() throws IOException {
    server = FakeGcs.builder().chunkBytes(1 << 20).start();
    server.put("bucket", "object", CONTENT);
  }

  @AfterEach
  void stop() {
    gate.open();
    server.close();
  }

  private String[] args() {
    return new String[] {
      "download",
      "gs://bucket/object",
      "--endpoint",
      server.endpoint(),
      "--out",
      directory.toString()
    };
  }

  private TreeSet<String> files() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  /** Waits for a condition that nobody signals. */
  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, () -> "no " + what + " within " + SOON);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Runs in a process of its own until its range is asked for, with a file half written. */
  private Process halfDone() throws Exception {
    server.onRange(RangeMatch.any(), RangeScript.builder().hold(1 << 20, gate).build());
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName()),
                        Stream.of(args()))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await("a half-written file", this::isHalfWritten);
    return process;
  }

  private boolean isHalfWritten() {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.toList();
      return all.size() == 1 && Files.size(all.get(0)) == 1 << 20;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aProcessThatIsToldToEndLeavesNone() throws Exception {
    Process process = halfDone();
    try {
      process.destroy();
      assertTrue(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), "it does not end");
      assertNotEquals(0, process.exitValue());
      assertEquals(new TreeSet<>(), files());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void twoRunsIntoOneDirectoryDoNotMeet() throws Exception {
    server.onRange(RangeMatch.any(), RangeScript.builder().hold(1 << 20, gate).build());
    FutureTask<Outcome> first = run();
    FutureTask<Outcome> second = run();
    await("two part files", () -> partFiles() == 2);
    gate.open();
    first.get(SOON.toSeconds(), TimeUnit.SECONDS).assertOk("ok: 1 range, 3000000 bytes, .*");
    second.get(SOON.toSeconds(), TimeUnit.SECONDS).assertOk("ok: 1 range, 3000000 bytes, .*");
    assertEquals(new TreeSet<>(List.of("object-0-3000000")), files());
    assertArrayEquals(
        CONTENT.read(0, 3_000_000), Files.readAllBytes(directory.resolve("object-0-3000000")));
  }

  private int partFiles() {
    try {
      return files().size();
    } catch (IOException e) {
      return -1;
    }
  }

  private FutureTask<Outcome> run() {
    FutureTask<Outcome> task = new FutureTask<>(() -> Outcome.of(args()));
    new Thread(task, "download").start();
    return task;
  }
}
