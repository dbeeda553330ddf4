// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.ArrayList;
import java.util.List;

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
    BenchmarkOptions options = BenchmarkOptions.parse(args);
    options.withServer(endpoint -> compare(endpoint, options));
  }

  private static void compare(String endpoint, BenchmarkOptions options) throws Exception {
    for (int streams : options.streams("1,4,16")) {
      for (Delivery delivery : Delivery.values()) {
        Workload workload =
            new Scan(streams, RANGES_IN_FLIGHT, RANGE_BYTES, options.objectBytes(), delivery);
        List<GcsMrd> competitors = new ArrayList<>();
        try {
          competitors.add(competitor("off", endpoint, false, workload));
          competitors.add(competitor("on", endpoint, true, workload));
          options.rounds().play(workload, competitors);
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
