// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.ArrivalLane;
import java.time.Duration;

/**
 * Times and counts of a session. Immutable.
 *
 * @param openTimeoutNanos how long an attempt may take until the server's first sign
 * @param stallTimeoutNanos how long a stream may be silent while ranges wait that can take data
 * @param rangeTimeoutNanos how long a range may get nothing while its stream is alive
 * @param closeWaitNanos how long a half-closed stream is waited for
 * @param maxRepairs how often in a row a range is asked for again after a wrong answer
 * @param maxRedirects how many redirects in a row are followed without a delivered byte
 * @param heldChunks how many chunks a call may hold on the stream
 */
public record SessionLimits(
    long openTimeoutNanos,
    long stallTimeoutNanos,
    long rangeTimeoutNanos,
    long closeWaitNanos,
    int maxRepairs,
    int maxRedirects,
    int heldChunks) {

  /** A first answer takes milliseconds; 20 s cover a slow connect and a lost packet or two. */
  public static final Duration DEFAULT_OPEN_TIMEOUT = Duration.ofSeconds(20);

  /** Long against any pause of a healthy server, short enough for a person who waits. */
  public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(30);

  /** A range may queue behind much else on its stream, but not for ever. */
  public static final Duration DEFAULT_RANGE_TIMEOUT = Duration.ofMinutes(10);

  /** An idle stream ends within a round trip of the half-close. */
  public static final Duration DEFAULT_CLOSE_WAIT = Duration.ofSeconds(5);

  /** Three wrong answers in a row are no accident of the network. */
  public static final int DEFAULT_MAX_REPAIRS = 3;

  /** Redirects are followed at once; five without a byte are a loop. */
  public static final int DEFAULT_MAX_REDIRECTS = 5;

  /** The service's limit, from the comments of {@code BidiReadObjectRequest.read_ranges}. */
  static final int RANGES_PER_MESSAGE = 100;

  /** What may come for nobody before a stream is ended for it: a window full comes anyway. */
  static final long MOST_STRAY_BYTES = 16L << 20;

  /** More are kept back: the service's own limit is not documented. */
  static final int OUTSTANDING_RANGES = 1_000;

  /** The default limits. */
  public static SessionLimits defaults() {
    return new SessionLimits(
        DEFAULT_OPEN_TIMEOUT.toNanos(),
        DEFAULT_STALL_TIMEOUT.toNanos(),
        DEFAULT_RANGE_TIMEOUT.toNanos(),
        DEFAULT_CLOSE_WAIT.toNanos(),
        DEFAULT_MAX_REPAIRS,
        DEFAULT_MAX_REDIRECTS,
        ArrivalLane.MAX_HELD);
  }
}
