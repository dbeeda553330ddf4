// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every package of the library is null-marked, documented and under the licence. */
class PackageInfoTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final List<String> HEADER =
      List.of("// SPDX-License-Identifier: Apache-2.0", "// Copyright 2026 The gcs-mrd authors");

  @Test
  void everyPackageIsNullMarkedAndDocumented() throws IOException {
    List<Path> packages = packages();
    assertFalse(packages.isEmpty(), "no package under " + SOURCES.toAbsolutePath());
    for (Path directory : packages) {
      Path info = directory.resolve("package-info.java");
      assertTrue(Files.exists(info), "missing: " + info);
      String text = Files.readString(info);
      assertTrue(text.contains("\n@NullMarked\n"), "not null-marked: " + info);
      assertTrue(text.contains("/**"), "not documented: " + info);
      // The formatter leaves the header of these files alone.
      assertEquals(HEADER, text.lines().limit(HEADER.size()).toList(), info.toString());
    }
  }

  private static List<Path> packages() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(Path::getParent)
          .distinct()
          .sorted()
          .toList();
    }
  }
}
