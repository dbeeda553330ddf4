// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.testing.FakeGcs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServeCommandTest {
  @TempDir private Path directory;

  @Test
  void servesMadeUpBytesUntilInterrupted() throws Exception {
    try (Serving serving = new Serving("--size", "1m", "--object", "gs://my-bucket/x")) {
      assertTrue(serving.line().startsWith("serving gs://my-bucket/x (1048576 bytes) at http://"));
      Outcome.of(serving.downloadArgs()).assertOk("ok: 1 range, 1048576 bytes, crc32c ver.*");
      assertEquals(0, serving.interrupt());
    }
  }

  @Test
  void servesAFileOverTls() throws Exception {
    byte[] bytes = {5, 4, 3, 2, 1};
    Path file = Files.write(directory.resolve("file"), bytes);
    String pem = directory.resolve("ca.pem").toString();
    try (Serving serving = new Serving("--file", file.toString(), "--tls", pem)) {
      assertTrue(serving.line().contains("(5 bytes) at https://"));
      List<String> args = new ArrayList<>(Arrays.asList(serving.downloadArgs()));
      assertTrue(args.contains(pem), args::toString);
      args.addAll(List.of("--no-credentials", "--out", "-"));
      Outcome outcome = Outcome.of(args.toArray(String[]::new));
      assertEquals(0, outcome.status(), outcome::toString);
      assertArrayEquals(bytes, outcome.outBytes());
      assertEquals(0, serving.interrupt());
    }
  }

  @Test
  void refusesWhatCannotBe() throws IOException {
    Outcome.of("serve", "--port", "70000").assertFailed(ExitStatus.USAGE, "70000");
    Outcome.of("serve", "--file", "/no/such").assertFailed(ExitStatus.FAILED, "/no/such");
    Outcome.of("serve", "--file", directory.toString())
        .assertFailed(ExitStatus.FAILED, "can't read " + directory + ": it is no regular file");
    try (FakeGcs other = FakeGcs.start()) {
      Outcome.of("serve", "--port", Integer.toString(other.port()))
          .assertFailed(ExitStatus.FAILED, "can't listen on port " + other.port());
    }
  }

  /** The command on a thread of its own. */
  private static final class Serving implements AutoCloseable {
    private final FutureTask<Integer> status;
    private final Thread thread;
    private final BufferedReader out;

    Serving(String... options) throws IOException {
      PipedInputStream pipe = new PipedInputStream();
      Streams streams =
          new Streams(
              new PrintStream(new PipedOutputStream(pipe), true, StandardCharsets.UTF_8),
              new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
              false);
      List<String> args = new ArrayList<>(List.of("serve"));
      args.addAll(Arrays.asList(options));
      status = new FutureTask<>(() -> RootCommand.run(streams, args.toArray(String[]::new)));
      thread = new Thread(status, "serve");
      out = new BufferedReader(new InputStreamReader(pipe, StandardCharsets.UTF_8));
      thread.start();
    }

    String line() throws IOException {
      return out.readLine();
    }

    /** The arguments that it says to read with. */
    String[] downloadArgs() throws IOException {
      String line = line();
      assertTrue(line.startsWith("read it: download "), line);
      return line.substring("read it: ".length()).split(" ");
    }

    int interrupt() throws Exception {
      thread.interrupt();
      return status.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while the server ended", e);
      }
    }
  }
}
