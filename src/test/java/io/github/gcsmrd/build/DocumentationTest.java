// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that users see is documented: each type, method, parameter, result and exception of
 * the public packages, by the compiler's own check (doclint).
 *
 * <p>A test and not a flag of the build, since the check of JDK 17 asks compact constructors for
 * the parameters that their records document already.
 */
class DocumentationTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final String NOT_PUBLIC = "-io.github.gcsmrd.internal.*,-io.github.gcsmrd.cli";
  private static final Pattern COMPACT_CONSTRUCTOR = Pattern.compile("\\s*(public )?\\w+ \\{");

  @Test
  void everythingPublicIsDocumented(@TempDir Path classes) throws IOException {
    List<Path> sources = javaFiles(SOURCES);
    assertFalse(sources.isEmpty(), "no source under " + SOURCES.toAbsolutePath());
    assertEquals("", missing(sources, classes));
  }

  @Test
  void missingDocumentationIsFound(@TempDir Path directory) throws IOException {
    Path source = directory.resolve("Undocumented.java");
    Files.writeString(
        source,
        """
        package io.github.gcsmrd;

        /** A type. */
        public interface Undocumented {
          /** Has a parameter. */
          void method(int parameter);
        }
        """);
    String missing = missing(List.of(source), directory);
    assertTrue(missing.contains("Undocumented.java:6: no @param for parameter"), missing);
  }

  private static String missing(List<Path> sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "tests need a JDK");
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-Xdoclint:missing/protected",
              "-Xdoclint/package:" + NOT_PUBLIC,
              "-classpath",
              System.getProperty("java.class.path"),
              "-d",
              classes.toString());
      StringWriter output = new StringWriter();
      boolean compiled =
          compiler
              .getTask(
                  output, files, found, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertTrue(compiled, () -> output.toString() + found.getDiagnostics());
    }
    return found.getDiagnostics().stream()
        .filter(DocumentationTest::isMissing)
        .map(DocumentationTest::describe)
        .collect(Collectors.joining("\n"));
  }

  private static boolean isMissing(Diagnostic<? extends JavaFileObject> diagnostic) {
    return diagnostic.getSource() != null
        && diagnostic.getKind() != Diagnostic.Kind.NOTE
        && !(diagnostic.getMessage(Locale.ROOT).contains("no @param")
            && COMPACT_CONSTRUCTOR.matcher(lineOf(diagnostic)).matches());
  }

  private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
    return Path.of(diagnostic.getSource().toUri()).getFileName()
        + ":"
        + diagnostic.getLineNumber()
        + ": "
        + diagnostic.getMessage(Locale.ROOT);
  }

  private static String lineOf(Diagnostic<? extends JavaFileObject> diagnostic) {
    try {
      return diagnostic
          .getSource()
          .getCharContent(true)
          .toString()
          .lines()
          .skip(diagnostic.getLineNumber() - 1)
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> javaFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
