// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What a user's class path gets from this library, against a checked-in list: a new transitive
 * dependency is a decision, not an accident.
 */
class RuntimeClasspathTest {
  /** Written by the build before the tests run (maven-dependency-plugin). */
  private static final Path RESOLVED = Path.of("target", "runtime-classpath.txt");

  private static final String EXPECTED = "runtime-classpath.txt";

  /** {@code group:artifact:type[:classifier]:version:scope}, and whether users inherit it. */
  private static final Pattern DEPENDENCY =
      Pattern.compile("(?m)^\\s+([\\w.-]+:[\\w.-]+):[\\w.:-]+:(?:compile|runtime)\\b(.*)$");

  @Test
  void usersInheritTheExpectedDependenciesAndNoOther() throws IOException {
    assertTrue(Files.exists(RESOLVED), () -> RESOLVED + " is missing: run the tests with Maven");
    TreeSet<String> inherited = new TreeSet<>();
    DEPENDENCY
        .matcher(Files.readString(RESOLVED))
        .results()
        .filter(match -> !match.group(2).contains("(optional)"))
        .forEach(match -> inherited.add(match.group(1)));
    assertEquals(
        String.join("\n", expected()),
        String.join("\n", inherited),
        "the inherited dependencies changed; if that is meant, give the reason in pom.xml and change "
            + EXPECTED);
  }

  private static TreeSet<String> expected() throws IOException {
    try (InputStream list =
        Objects.requireNonNull(
            RuntimeClasspathTest.class.getResourceAsStream(EXPECTED), EXPECTED)) {
      TreeSet<String> names = new TreeSet<>();
      new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(names::add);
      return names;
    }
  }
}
