// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.util.concurrent.TimeUnit;

/** A load. Immutable and thread-safe: each run has its own state. */
interface Workload {
  /** In the table of results. */
  String name();

  /** How many streams the competitor needs. */
  int streams();

  /**
   * Puts the load on a competitor for a time.
   *
   * @return the number of bytes that were delivered
   * @throws Exception what made a read fail
   */
  long run(Competitor competitor, long time, TimeUnit unit) throws Exception;
}
