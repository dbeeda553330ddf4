// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

/**
 * Which bytes of a chunk a range takes. Immutable.
 *
 * @param skip leading bytes that came before (an overlap after a resume); -1 if the chunk does not
 *     continue the range
 * @param take bytes to deliver after those
 * @param surplus bytes beyond what was asked for
 */
record Placement(int skip, int take, int surplus) {
  private static final Placement MISPLACED = new Placement(-1, 0, 0);
  private static final Placement NOTHING = new Placement(0, 0, 0);

  /** A chunk behind a gap or at an impossible offset. */
  static Placement misplaced() {
    return MISPLACED;
  }

  /** A chunk without bytes. */
  static Placement nothing() {
    return NOTHING;
  }

  boolean isMisplaced() {
    return skip < 0;
  }
}
