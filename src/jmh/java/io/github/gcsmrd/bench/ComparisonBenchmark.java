// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * This library against the official client, taking turns: throughput and processor time for a GB,
 * four ranges of 16 MiB a call, on 1 and 8 streams, into buffers (arrays there) and as views.
 *
 * <pre>
 *   mvn -Pjmh test-compile exec:exec -Djmh.main=io.github.gcsmrd.bench.ComparisonBenchmark \
 *       -Djmh.args="--port 9000"
 * </pre>
 *
 * <p>Options and server as for {@link OffloadBenchmark}.
 */
public final class ComparisonBenchmark {
  private static final int RANGE_BYTES = 16 << 20;
  private static final int RANGES_IN_FLIGHT = 4;

  private ComparisonBenchmark() {}

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
    for (int streams : options.streams("1,8")) {
      for (Delivery delivery : Delivery.values()) {
        Workload workload =
            new Scan(streams, RANGES_IN_FLIGHT, RANGE_BYTES, options.objectBytes(), delivery);
        List<Competitor> competitors = new ArrayList<>();
        try {
          competitors.add(
              new GcsMrd("gcs-mrd", endpoint, false, streams, RANGES_IN_FLIGHT * RANGE_BYTES));
          competitors.add(new OfficialClient(endpoint, streams));
          options.rounds().play(workload, competitors);
        } finally {
          competitors.forEach(Competitor::close);
        }
      }
    }
  }
}
