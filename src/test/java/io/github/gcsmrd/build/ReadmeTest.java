// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the README compile as they stand, with nothing added but imports. */
class ReadmeTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final String IMPORTS =
      """
      import io.github.gcsmrd.*;
      import io.github.gcsmrd.testing.*;
      import java.nio.ByteBuffer;
      import java.util.List;
      import java.util.concurrent.CompletableFuture;
      import java.util.concurrent.Flow;
      """;

  @TempDir Path classes;

  @TestFactory
  Stream<DynamicTest> eachExampleCompiles() throws IOException {
    Matcher blocks = JAVA_BLOCK.matcher(Files.readString(Path.of("README.md")));
    List<String> examples = new ArrayList<>();
    while (blocks.find()) {
      examples.add(blocks.group(1));
    }
    assertTrue(examples.size() >= 2, "examples in the README: " + examples.size());
    return examples.stream()
        .map(
            example ->
                DynamicTest.dynamicTest(
                    example.lines().findFirst().orElse(""), () -> compile(example)));
  }

  private void compile(String example) {
    String source =
        IMPORTS + "class Example { void run() throws Exception {\n" + example + "\n} }\n";
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
    boolean compiled =
        compiler.getTask(messages, null, null, options, null, List.of(new Source(source))).call();
    assertTrue(compiled, () -> messages + "\n" + source);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
