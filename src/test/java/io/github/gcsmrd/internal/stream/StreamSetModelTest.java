// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sets of streams, on one to four loops whose tasks run in any order, against a reference
 * over the object's bytes. See {@link ModelSeeds} for how to run one again.
 */
class StreamSetModelTest {
  private final ModelSeeds seeds = new ModelSeeds(seed -> new SetModelRun(seed).run());

  @Test
  void everyRangeOfARandomSetOfStreamsEndsAsTheModelSays() {
    seeds.runSome();
  }

  @Test
  @Tag("soak")
  void everyRangeOfManyRandomSetsOfStreamsEndsAsTheModelSays() {
    seeds.runMany();
  }
}
