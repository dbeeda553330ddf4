// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a command printed and returned. */
record Outcome(int status, byte[] outBytes, String out, String err) {

  /** Runs a command in this process. */
  static Outcome of(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
    int status = RootCommand.run(streams, args);
    return new Outcome(
        status,
        out.toByteArray(),
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8));
  }

  /** It must have succeeded, with a last line on standard output of this form. */
  void assertOk(String form) {
    assertEquals(0, status, this::toString);
    assertTrue(out.stripTrailing().matches("(?s)(.*\\n)?" + form), this::toString);
  }

  /** It must have failed with nothing but one line on standard error that holds the words. */
  void assertFailed(ExitStatus expected, String... words) {
    assertEquals(1, err.lines().count(), this::toString);
    assertFailedAfterProgress(expected, words);
  }

  /** It must have failed with a last line on standard error that holds the words. */
  void assertFailedAfterProgress(ExitStatus expected, String... words) {
    assertEquals(expected.code(), status, this::toString);
    assertEquals("", out, this::toString);
    String last = err.lines().reduce("", (earlier, line) -> line);
    assertTrue(last.startsWith("gcs-mrd: "), this::toString);
    for (String word : words) {
      assertTrue(last.contains(word), () -> "no '" + word + "' in " + this);
    }
  }

  @Override
  public String toString() {
    return "status " + status + "\nout: " + out + "\nerr: " + err;
  }
}
