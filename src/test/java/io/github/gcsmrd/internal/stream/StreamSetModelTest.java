// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sets of streams, on one to four loops whose tasks run in any order, against a reference
 * over the object's bytes. Everything is decided by one seed: a failure names it, and the system
 * property {@code model.seed} runs it again alone. The long profile runs {@code model.sessions} of
 * them.
 */
class StreamSetModelTest {
  private static final int SESSIONS = 2_000;
  private static final int MANY_SESSIONS = 100_000;

  @Test
  void everyRangeOfARandomSetOfStreamsEndsAsTheModelSays() {
    Long seed = Long.getLong("model.seed");
    if (seed != null) {
      run(seed);
    } else {
      run(SESSIONS, 1);
    }
  }

  @Test
  @Tag("soak")
  void everyRangeOfManyRandomSetsOfStreamsEndsAsTheModelSays() {
    run(Integer.getInteger("model.sessions", MANY_SESSIONS), System.nanoTime());
  }

  private static void run(int sessions, long firstSeed) {
    Random seeds = new Random(firstSeed);
    for (int i = 0; i < sessions; i++) {
      run(seeds.nextLong());
    }
  }

  private static void run(long seed) {
    try {
      new SetModelRun(seed).run();
    } catch (Throwable e) {
      throw new AssertionError("session of -Dmodel.seed=" + seed + " failed: " + e, e);
    }
  }
}
