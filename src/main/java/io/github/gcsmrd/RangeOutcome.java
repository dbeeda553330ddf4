// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.io.Serializable;
import java.util.Objects;

/**
 * How a range of a failed download ended. Immutable. Serializable, but for the bytes of a {@link
 * RangeResult}.
 */
public sealed interface RangeOutcome extends Serializable {

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
    /** Checks that it is not null. */
    public Succeeded {
      Objects.requireNonNull(result, "result");
    }

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
  record Failed(ByteRange range, Throwable failure) implements RangeOutcome {
    /** Checks that nothing is null. */
    public Failed {
      Objects.requireNonNull(range, "range");
      Objects.requireNonNull(failure, "failure");
    }
  }
}
