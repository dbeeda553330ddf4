// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import java.util.ArrayList;
import java.util.List;

/**
 * An error of a range, which ends its stream. Confined to the stream.
 *
 * @param range the range
 * @param code the status of the range and the stream
 * @param message the message of both
 */
record RangeFailure(RangeRead range, StatusCode code, String message) {

  /** The details that tell of it beside the ranges pending. */
  StatusDetails details(RangeErrorListing listing, List<RangeRead> pending) {
    if (listing instanceof RangeErrorListing.Fixed fixed) {
      return fixed.details();
    }
    RangeErrorListing.Listed rule = (RangeErrorListing.Listed) listing;
    List<StatusDetails.RangeError> listed = new ArrayList<>();
    for (RangeRead each : pending) {
      if (each == range) {
        listed.add(new StatusDetails.RangeError(each.readId(), code, message));
      } else {
        rule.others()
            .ifPresent(
                status ->
                    listed.add(
                        new StatusDetails.RangeError(each.readId(), status, rule.message())));
      }
    }
    return StatusDetails.rangeErrors(listed);
  }
}
