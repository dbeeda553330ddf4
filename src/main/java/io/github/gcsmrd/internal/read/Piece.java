// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.RangeData;
import org.jspecify.annotations.Nullable;

/**
 * One answer for a range as it arrived, placed but not yet verified or delivered. Immutable; it
 * borrows the message's memory, and whoever keeps it beyond the message's callback retains that.
 *
 * @param read the range it belongs to
 * @param data the answer
 * @param placement which of its bytes the range takes
 * @param deliveredFrom the absolute offset of the first byte taken
 * @param ends whether nothing more comes under this read id
 * @param fault what is wrong with it by its place, if anything
 */
public record Piece(
    RangeRead read,
    RangeData data,
    Placement placement,
    long deliveredFrom,
    boolean ends,
    @Nullable ReadFault fault) {

  /** Whether its read has ended, or was asked for again, since it came. */
  boolean isStale() {
    RangeRead.State state = read.state();
    boolean asked = state == RangeRead.State.ASKED || state == RangeRead.State.FAILING;
    return !asked || read.readId() != data.readId();
  }

  /** The same piece over a copy of its bytes on the heap. */
  Piece copied() {
    Content content = data.content();
    Content copy = Content.wrap(content.toByteArray(0, content.length()));
    return new Piece(read, data.withContent(copy), placement, deliveredFrom, ends, fault);
  }
}
