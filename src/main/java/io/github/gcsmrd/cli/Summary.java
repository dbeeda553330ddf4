// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.RangeResult;
import java.util.List;
import java.util.Locale;

/**
 * What was read. Immutable.
 *
 * @param ranges how many ranges
 * @param bytes how many bytes they had
 * @param verified whether there were bytes, and each was checked against a checksum of the service
 * @param nanos how long reading took
 */
record Summary(int ranges, long bytes, boolean verified, long nanos) {

  static Summary of(List<RangeResult> results, long nanos) {
    long bytes = 0;
    boolean unverified = false;
    for (RangeResult result : results) {
      bytes += result.length();
      unverified |= result.length() > 0 && !result.verified();
    }
    return new Summary(results.size(), bytes, bytes > 0 && !unverified, nanos);
  }

  /** In gigabytes (10^9) a second. */
  String rate() {
    return String.format(Locale.ROOT, "%.2f GB/s", bytes / (double) Math.max(nanos, 1));
  }

  /** The last line of a command that did what it was asked. */
  String line() {
    String checked = verified ? "crc32c verified" : "crc32c not verified";
    return "ok: "
        + ranges
        + (ranges == 1 ? " range, " : " ranges, ")
        + bytes
        + " bytes, "
        + checked
        + ", "
        + rate();
  }
}
