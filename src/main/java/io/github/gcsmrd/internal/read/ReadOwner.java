// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

/** Who has a live read at present: the session of the stream that it is read on. Thread-safe. */
public interface ReadOwner {
  /** Gives a range up, if this still has it; it ends as cancelled if it hasn't ended. */
  void abandon(RangeRead read);
}
