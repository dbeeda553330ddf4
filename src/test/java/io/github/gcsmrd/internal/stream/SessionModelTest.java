// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sessions against a reference over the object's bytes. See {@link ModelSeeds} for how to
 * run one again.
 */
class SessionModelTest {
  private final ModelSeeds seeds = new ModelSeeds(seed -> new ModelRun(seed).run());

  @Test
  void everyRangeOfARandomSessionEndsAsTheModelSays() {
    seeds.runSome();
  }

  @Test
  @Tag("soak")
  void everyRangeOfManyRandomSessionsEndsAsTheModelSays() {
    seeds.runMany();
  }
}
