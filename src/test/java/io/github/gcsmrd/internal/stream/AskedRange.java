// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import com.google.storage.v2.ReadRange;

/** A range as the model's server was asked for it on a call. Not thread-safe. */
final class AskedRange {
  final ReadRange range;
  final ModelRange model;
  final long end;
  long next;
  boolean over;

  AskedRange(ReadRange range, ModelRange model, long start, long end) {
    this.range = range;
    this.model = model;
    this.next = start;
    this.end = end;
  }
}
