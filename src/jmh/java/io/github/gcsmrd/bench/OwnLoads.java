// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * For each competitor a load of its own. Immutable.
 *
 * @param name in the table of results
 * @param loads by competitor
 */
record OwnLoads(String name, Map<Competitor, Workload> loads) implements Workload {

  @Override
  public int streams() {
    return loads.values().stream().mapToInt(Workload::streams).max().orElse(0);
  }

  @Override
  public long run(Competitor competitor, long time, TimeUnit unit) throws Exception {
    Workload load = loads.get(competitor);
    if (load == null) {
      throw new IllegalArgumentException("no load for " + competitor.name());
    }
    return load.run(competitor, time, unit);
  }
}
