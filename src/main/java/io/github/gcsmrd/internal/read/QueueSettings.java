// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import java.util.concurrent.Executor;

/**
 * What a destination needs whose user code may take its time. Immutable.
 *
 * @param blocking runs the user code
 * @param loop runs what follows, on the loop that confines the destination
 * @param pool the client's credit
 * @param mostBytes the most that the range can have, or {@link #UNLIMITED}
 */
public record QueueSettings(Executor blocking, Executor loop, CreditPool pool, long mostBytes) {
  /** For a range whose length is not limited by what was asked. */
  public static final long UNLIMITED = -1;
}
