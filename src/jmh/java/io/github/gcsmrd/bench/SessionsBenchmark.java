// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What many sessions cost: processor time of the loop and of the process for a GB, for 1, 8 and 64
 * sessions that share one connection and one loop, and the same over several connections of that
 * loop. The last column is the ratio to one session. Then what a sink that stands still on each of
 * 8 sessions takes from its neighbours.
 *
 * <pre>
 *   mvn -Pjmh test-compile exec:exec -Djmh.main=io.github.gcsmrd.bench.SessionsBenchmark \
 *       -Djmh.args="--port 9000"
 * </pre>
 *
 * <p>Options and server as for {@link OffloadBenchmark}; {@code --streams 1,8,64} are the sessions,
 * each a divisor of the last, {@code --connections 1,4} the connections.
 */
public final class SessionsBenchmark {
  private static final int RANGE_BYTES = 2 << 20;
  private static final int RANGES_IN_FLIGHT = 4;
  private static final int NEIGHBOURS = 8;

  private SessionsBenchmark() {}

  /**
   * Runs it.
   *
   * @param args see the class
   * @throws Exception what made a read fail
   */
  public static void main(String[] args) throws Exception {
    BenchmarkOptions options = BenchmarkOptions.parse(args);
    List<Integer> sessions = options.streams("1,8,64");
    List<ByteBuffer> buffers = new ArrayList<>();
    int most = Math.max(NEIGHBOURS, sessions.get(sessions.size() - 1));
    for (int i = 0; i < most; i++) {
      buffers.add(ByteBuffer.allocateDirect(RANGES_IN_FLIGHT * RANGE_BYTES));
    }
    options.withServer(
        endpoint -> {
          for (int connections : options.connections("1,4")) {
            for (Delivery delivery : Delivery.values()) {
              compare(endpoint, options, sessions, connections, delivery, buffers);
            }
          }
          compareStandingStill(endpoint, options, buffers);
        });
  }

  private static void compare(
      String endpoint,
      BenchmarkOptions options,
      List<Integer> sessions,
      int connections,
      Delivery delivery,
      List<ByteBuffer> buffers)
      throws Exception {
    Map<Competitor, Workload> loads = new LinkedHashMap<>();
    try {
      for (int count : sessions) {
        loads.put(
            new Sessions(count + " sessions", endpoint, count, connections, buffers),
            scan(count, options, delivery));
      }
      String name = connections + " connections, " + delivery.name().toLowerCase();
      options.rounds().play(new OwnLoads(name, loads), List.copyOf(loads.keySet()));
    } finally {
      loads.keySet().forEach(Competitor::close);
    }
  }

  /** Neighbours of a sink that stands still keep their throughput. */
  private static void compareStandingStill(
      String endpoint, BenchmarkOptions options, List<ByteBuffer> buffers) throws Exception {
    List<Sessions> competitors = new ArrayList<>();
    try {
      competitors.add(new Sessions("alone", endpoint, NEIGHBOURS, 1, buffers));
      Sessions beside = new Sessions("beside", endpoint, NEIGHBOURS, 1, buffers);
      competitors.add(beside);
      beside.standStill(options.objectBytes());
      options.rounds().play(scan(NEIGHBOURS, options, Delivery.BUFFERS), competitors);
    } finally {
      competitors.forEach(Sessions::close);
    }
  }

  private static Workload scan(int sessions, BenchmarkOptions options, Delivery delivery) {
    return new Scan(sessions, RANGES_IN_FLIGHT, RANGE_BYTES, options.objectBytes(), delivery);
  }
}
