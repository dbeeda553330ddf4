// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The options that the benchmarks share: names with a value each. Immutable. */
record BenchmarkOptions(Map<String, String> values) {

  static BenchmarkOptions parse(String[] args) {
    if (args.length % 2 != 0) {
      throw new IllegalArgumentException("each option has a value: " + String.join(" ", args));
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      values.put(args[i], args[i + 1]);
    }
    return new BenchmarkOptions(Map.copyOf(values));
  }

  long objectBytes() {
    return (long) number("--object-mib", 64) << 20;
  }

  List<Integer> streams(String byDefault) {
    return numbers("--streams", byDefault);
  }

  List<Integer> connections(String byDefault) {
    return numbers("--connections", byDefault);
  }

  private List<Integer> numbers(String name, String byDefault) {
    return Stream.of(values.getOrDefault(name, byDefault).split(","))
        .map(Integer::valueOf)
        .toList();
  }

  Rounds rounds() {
    return new Rounds(
        number("--warm-ups", 2), number("--rounds", 7), number("--seconds", 3), System.out);
  }

  /** Runs against the server of {@code --port}, or one started for it. */
  void withServer(EndpointTask task) throws Exception {
    if (values.containsKey("--port")) {
      task.run("http://localhost:" + number("--port", 0));
    } else {
      try (ServerProcess server = ServerProcess.start(objectBytes())) {
        task.run("http://localhost:" + server.port());
      }
    }
  }

  private int number(String name, int byDefault) {
    return Integer.parseInt(values.getOrDefault(name, Integer.toString(byDefault)));
  }

  /** What needs a server. */
  interface EndpointTask {
    void run(String endpoint) throws Exception;
  }
}
