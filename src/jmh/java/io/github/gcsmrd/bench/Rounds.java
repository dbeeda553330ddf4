// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Lets competitors take turns under one workload, in an order that changes with each round, and
 * prints medians with their spread, and how each stands to the first. Not thread-safe.
 */
final class Rounds {
  private enum Figure {
    LOOP("loop ms/GB", Measurement::loopMillisPerGigabyte),
    PROCESS("process ms/GB", Measurement::processMillisPerGigabyte),
    THROUGHPUT("GB/s", Measurement::gigabytesPerSecond),
    MEMORY("peak MiB held", Measurement::peakMebibytes);

    final String title;
    final ToDoubleFunction<Measurement> of;

    Figure(String title, ToDoubleFunction<Measurement> of) {
      this.title = title;
      this.of = of;
    }
  }

  private final int warmUps;
  private final int rounds;
  private final int seconds;
  private final PrintStream out;

  /**
   * Sets the length of the game.
   *
   * @param warmUps rounds that don't count
   * @param rounds rounds that do
   * @param seconds how long a turn takes
   */
  Rounds(int warmUps, int rounds, int seconds, PrintStream out) {
    this.warmUps = warmUps;
    this.rounds = rounds;
    this.seconds = seconds;
    this.out = out;
  }

  /** Plays and prints. */
  void play(Workload workload, List<? extends Competitor> competitors) throws Exception {
    List<List<Measurement>> results = new ArrayList<>();
    for (int i = 0; i < competitors.size(); i++) {
      results.add(new ArrayList<>());
    }
    for (int round = -warmUps; round < rounds; round++) {
      for (int turn = 0; turn < competitors.size(); turn++) {
        boolean forwards = (round & 1) == 0;
        int i = forwards ? turn : competitors.size() - 1 - turn;
        Measurement measured = Measurement.of(workload, competitors.get(i), seconds);
        if (round >= 0) {
          results.get(i).add(measured);
        }
      }
    }
    print(workload, competitors, results);
  }

  private void print(
      Workload workload, List<? extends Competitor> competitors, List<List<Measurement>> results) {
    out.printf("%s (median of %d, min to max)%n", workload.name(), rounds);
    for (Figure figure : Figure.values()) {
      double first = median(figure, results.get(0));
      for (int i = 0; i < competitors.size(); i++) {
        double[] values = values(figure, results.get(i));
        out.printf(
            "  %-14s %-12s %9.2f  (%.2f to %.2f)  x %.2f%n",
            figure.title,
            competitors.get(i).name(),
            median(figure, results.get(i)),
            values[0],
            values[values.length - 1],
            median(figure, results.get(i)) / first);
      }
    }
    out.flush();
  }

  private static double[] values(Figure figure, List<Measurement> results) {
    double[] values = results.stream().mapToDouble(figure.of).toArray();
    Arrays.sort(values);
    return values;
  }

  private static double median(Figure figure, List<Measurement> results) {
    double[] values = values(figure, results);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
