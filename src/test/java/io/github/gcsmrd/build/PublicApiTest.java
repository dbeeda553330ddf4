// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No type of the libraries below, and none of this library's insides, is in a signature that users
 * see: whoever shades or upgrades gRPC, protobuf or Guava can't break them.
 */
class PublicApiTest {
  private static final Path CLASSES = Path.of("target", "classes");
  private static final String ROOT = "io.github.gcsmrd";
  private static final String GRPC = ROOT + ".grpc";
  private static final List<String> PUBLIC = List.of(ROOT, ROOT + ".io", ROOT + ".testing", GRPC);

  /** The libraries below; {@code io.github.gcsmrd.grpc} alone may name them. */
  private static final List<String> FOREIGN =
      List.of(
          "io.grpc.",
          "io.netty.",
          "com.google.protobuf.",
          "com.google.common.",
          "com.google.storage.");

  private static final String INTERNAL = ROOT + ".internal.";

  @Test
  void signaturesNameNoTypeOfTheLibrariesBelow() throws IOException {
    TreeSet<String> leaks = new TreeSet<>();
    List<Class<?>> types = publicTypes();
    assertFalse(types.isEmpty(), "no public class under " + CLASSES.toAbsolutePath());
    for (Class<?> type : types) {
      leaks.addAll(leaksOf(type));
    }
    assertEquals("", String.join("\n", leaks));
  }

  @Test
  void leaksAreFoundWhereverTheyHide() {
    assertEquals(
        new TreeSet<>(
            List.of(
                "field -> io.grpc.ManagedChannelBuilder",
                "inherited -> io.grpc.Status",
                "method -> io.grpc.ManagedChannelBuilder",
                "thrown -> io.grpc.StatusException",
                "new Leaky -> io.grpc.Status")),
        new TreeSet<>(
            leaksOf(Leaky.class).stream()
                .map(leak -> leak.replace(Leaky.class.getName(), "").replaceFirst("^[: ]+", ""))
                .toList()));
  }

  /** Names foreign types in each place that users see, and in places that they don't. */
  protected static class Leaky extends Hidden {
    protected List<? extends ManagedChannelBuilder<?>[]> field = List.of();

    protected Leaky(Status status) {}

    public <T extends ManagedChannelBuilder<T>> void method(Map<String, UnaryOperator<T>> map) {}

    protected void thrown() throws StatusException {}

    void hidden(Status status) {}
  }

  private static class Hidden {
    protected void inherited(Status[][] status) {}
  }

  private static TreeSet<String> leaksOf(Class<?> type) {
    TreeSet<String> leaks = new TreeSet<>();
    boolean foreignAllowed = type.getPackageName().equals(GRPC);
    new Signatures(
            (place, named) -> {
              String name = named.getName();
              boolean foreign = FOREIGN.stream().anyMatch(name::startsWith) && !foreignAllowed;
              if (foreign || name.startsWith(INTERNAL)) {
                leaks.add(type.getName() + ": " + place + " -> " + name);
              }
            })
        .visit(type);
    return leaks;
  }

  private static List<Class<?>> publicTypes() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files
          .map(file -> CLASSES.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()))
          .<Class<?>>map(file -> load(file.replace('/', '.').replace('\\', '.')))
          .filter(type -> PUBLIC.contains(type.getPackageName()))
          .filter(Signatures::isVisible)
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }
}
