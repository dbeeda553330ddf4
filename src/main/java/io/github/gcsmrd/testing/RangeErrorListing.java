// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import java.util.Optional;

/**
 * What the details tell when a range's error ends the stream. Immutable and thread-safe.
 *
 * <p>The service's documentation leaves open whether the ranges without an error are listed.
 */
public sealed interface RangeErrorListing {

  /**
   * Lists the range in error alone. The default.
   *
   * @return the listing
   */
  static RangeErrorListing failedOnly() {
    return new Listed(Optional.empty(), "");
  }

  /**
   * Lists all pending ranges.
   *
   * @param others the status of those that have no error: OK, or for example ABORTED
   * @return the listing
   */
  static RangeErrorListing allPending(StatusCode others) {
    return allPending(others, "");
  }

  /**
   * Lists all pending ranges, each with a message: a long one makes details that many clients do
   * not take.
   *
   * @param others the status of those that have no error: OK, or for example ABORTED
   * @param message the message of those
   * @return the listing
   */
  static RangeErrorListing allPending(StatusCode others, String message) {
    return new Listed(Optional.of(others), message);
  }

  /**
   * Sends the same details whatever failed: {@link StatusDetails#none}, garbage, other ids.
   *
   * @param details the details
   * @return the listing
   */
  static RangeErrorListing fixed(StatusDetails details) {
    return new Fixed(details);
  }

  /**
   * Made by {@link RangeErrorListing#failedOnly} and {@link RangeErrorListing#allPending}.
   *
   * @param others the status of the ranges without error, if they are listed
   * @param message the message of those
   */
  record Listed(Optional<StatusCode> others, String message) implements RangeErrorListing {}

  /**
   * Made by {@link RangeErrorListing#fixed}.
   *
   * @param details the details
   */
  record Fixed(StatusDetails details) implements RangeErrorListing {}
}
