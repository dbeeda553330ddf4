// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What hashing off the loop costs and brings: processor time of the loop and of the process for a
 * GB, throughput and memory held, for 1, 4 and 16 streams on one loop and one connection, into
 * direct buffers and as views.
 *
 * <pre>
 *   mvn -Pjmh test-compile exec:exec -Djmh.main=io.github.gcsmrd.bench.OffloadBenchmark \
 *       -Djmh.args="--port 9000"
 * </pre>
 *
 * <p>Options, each with a value: {@code --port} of a plaintext server on the loopback address that
 * is running already, {@code --object-mib 64} the size of its object {@code bucket/object}, {@code
 * --streams 1,4,16}, {@code --rounds 7}, {@code --warm-ups 2}, {@code --seconds 3} of a turn.
 *
 * <p>The server must cost less than the client, or the figures are the server's. Without {@code
 * --port} the embedded server is started in another process: it needs no preparation, but costs
 * more for a GB than the client does. Its throughput means nothing then; the client's processor
 * time for a GB does, with cores enough that the two don't share one.
 *
 * <p>Compare within a run only, on a quiet machine.
 */
public final class OffloadBenchmark {
  private static final int RANGE_BYTES = 16 << 20;
  private static final int RANGES_IN_FLIGHT = 4;

  private OffloadBenchmark() {}

  /**
   * Runs it.
   *
   * @param args see the class
   * @throws Exception what made a read fail
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = options(args);
    long objectBytes = Long.parseLong(options.getOrDefault("--object-mib", "64")) << 20;
    if (options.containsKey("--port")) {
      compare(Integer.parseInt(options.get("--port")), objectBytes, options);
    } else {
      try (ServerProcess server = ServerProcess.start(objectBytes)) {
        compare(server.port(), objectBytes, options);
      }
    }
  }

  private static Map<String, String> options(String[] args) {
    if (args.length % 2 != 0) {
      throw new IllegalArgumentException("each option has a value: " + String.join(" ", args));
    }
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    return options;
  }

  private static void compare(int port, long objectBytes, Map<String, String> options)
      throws Exception {
    Rounds rounds =
        new Rounds(
            Integer.parseInt(options.getOrDefault("--warm-ups", "2")),
            Integer.parseInt(options.getOrDefault("--rounds", "7")),
            Integer.parseInt(options.getOrDefault("--seconds", "3")),
            System.out);
    String endpoint = "http://localhost:" + port;
    for (String streams : options.getOrDefault("--streams", "1,4,16").split(",")) {
      for (Delivery delivery : Delivery.values()) {
        Workload workload =
            new Scan(
                Integer.parseInt(streams), RANGES_IN_FLIGHT, RANGE_BYTES, objectBytes, delivery);
        List<GcsMrd> competitors = new ArrayList<>();
        try {
          competitors.add(competitor("off", endpoint, false, workload));
          competitors.add(competitor("on", endpoint, true, workload));
          rounds.play(workload, competitors);
        } finally {
          competitors.forEach(GcsMrd::close);
        }
      }
    }
  }

  private static GcsMrd competitor(
      String name, String endpoint, boolean offload, Workload workload) {
    return new GcsMrd(name, endpoint, offload, workload.streams(), RANGES_IN_FLIGHT * RANGE_BYTES);
  }
}
