// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;

/** Counts the bytes, which the client has verified, and drops them. Stateless. */
final class DiscardingOutput implements Output {
  @Override
  public RangeRequest request(int index, ByteRange range, Progress progress) {
    return RangeRequest.to(chunk -> progress.add(chunk.length()), range);
  }

  @Override
  public void keep(int index, RangeResult result) {}

  @Override
  public void close() {}
}
