// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command line in a process of its own whose class path lacks something. */
@Timeout(60)
class MainTest {

  /** Runs the demo with these classes alone, and returns the one line that it prints. */
  private static String failureWith(Class<?>... present) throws Exception {
    StringBuilder classPath = new StringBuilder();
    for (Class<?> one : present) {
      classPath.append(homeOf(one)).append(File.pathSeparator);
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-cp", classPath.toString(), Main.class.getName());
    builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.redirectErrorStream(true).start();
    try {
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
      assertEquals(ExitStatus.FAILED.code(), process.exitValue(), text);
      assertEquals(1, text.lines().count(), text);
      assertTrue(text.startsWith("gcs-mrd: "), text);
      return text;
    } finally {
      process.destroyForcibly();
    }
  }

  /** The directory or jar that a class comes from. */
  private static Path homeOf(Class<?> one) throws URISyntaxException {
    return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void withoutItsParserItSaysWhichDependencyIsMissing() throws Exception {
    String text = failureWith(Main.class);
    assertTrue(text.contains("info.picocli:picocli, an optional dependency"), text);
    assertTrue(text.contains("picocli.CommandLine"), text);
  }

  @Test
  void withoutTheLibrarysOwnDependenciesItSaysSo() throws Exception {
    String text = failureWith(Main.class, CommandLine.class);
    assertTrue(text.contains("a dependency of gcs-mrd is not on the class path"), text);
  }
}
