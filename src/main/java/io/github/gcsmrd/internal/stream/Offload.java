// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;

/** Where large chunks are hashed. Thread-safe; shared by all sessions of a client. */
public final class Offload {
  private final OffloadSwitch on;
  private final HashPool pool;
  private final int thresholdBytes;

  /**
   * Hashes chunks of {@link OffloadSwitch#THRESHOLD_BYTES} or more on a pool.
   *
   * @param on whether they leave the loop, looked up for each
   * @param pool where they go then
   */
  public Offload(OffloadSwitch on, HashPool pool) {
    this(on, pool, OffloadSwitch.THRESHOLD_BYTES);
  }

  /** Another threshold, for tests with small chunks. */
  Offload(OffloadSwitch on, HashPool pool, int thresholdBytes) {
    this.on = on;
    this.pool = pool;
    this.thresholdBytes = thresholdBytes;
  }

  /** Whether a chunk that arrives now leaves the loop, if it must be hashed. */
  boolean takes(int chunkBytes) {
    return chunkBytes >= thresholdBytes && on.isOn();
  }

  /** Turns it on or off for the client; holds from the next chunk on. */
  public void set(boolean enabled) {
    on.set(enabled);
  }

  /** The pool. */
  public HashPool pool() {
    return pool;
  }
}
