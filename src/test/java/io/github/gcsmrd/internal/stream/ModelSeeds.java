// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.Random;
import java.util.function.LongConsumer;

/**
 * Runs a model over many seeds, each of which decides everything about one run: a failure names it,
 * and the system property {@code model.seed} runs it again alone. Not thread-safe.
 */
final class ModelSeeds {
  private static final int SESSIONS = 2_000;
  private static final int MANY_SESSIONS = 100_000;

  private final LongConsumer model;

  /** Runs a model, which throws if something is wrong. */
  ModelSeeds(LongConsumer model) {
    this.model = model;
  }

  /** Always the same seeds; or the one that is given. */
  void runSome() {
    Long seed = Long.getLong("model.seed");
    if (seed != null) {
      run(seed);
    } else {
      run(SESSIONS, 1);
    }
  }

  /** Other seeds each time, {@code model.sessions} of them. */
  void runMany() {
    run(Integer.getInteger("model.sessions", MANY_SESSIONS), System.nanoTime());
  }

  private void run(int sessions, long firstSeed) {
    Random seeds = new Random(firstSeed);
    for (int i = 0; i < sessions; i++) {
      run(seeds.nextLong());
    }
  }

  private void run(long seed) {
    try {
      model.accept(seed);
    } catch (Throwable e) {
      throw new AssertionError("session of -Dmodel.seed=" + seed + " failed: " + e, e);
    }
  }
}
