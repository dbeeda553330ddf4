// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

/** How a range of a failed download ended. Immutable. */
public sealed interface RangeOutcome {

  /**
   * Returns the range.
   *
   * @return the range as it was asked for
   */
  ByteRange range();

  /**
   * The range was delivered.
   *
   * @param result what came of it
   */
  record Succeeded(RangeResult result) implements RangeOutcome {
    @Override
    public ByteRange range() {
      return result.range();
    }
  }

  /**
   * The range failed or was cancelled.
   *
   * @param range the range as it was asked for
   * @param failure why: mostly a {@link GcsException}, else what a sink or allocator threw, or a
   *     {@link java.util.concurrent.CancellationException}
   */
  record Failed(ByteRange range, Throwable failure) implements RangeOutcome {}
}
