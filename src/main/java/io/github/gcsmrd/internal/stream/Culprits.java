// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whom an error without names can mean, among the ranges that were asked for when the stream ended.
 * Immutable.
 *
 * <p>A range that got bytes is in the object, so it is not the one out of range.
 */
final class Culprits {
  /** Nobody was asked for. */
  static final Culprits NOBODY = new Culprits(new RangeRead[0], 0, true);

  private final Set<RangeRead> possible = new HashSet<>();
  private final Optional<RangeRead> only;

  /**
   * Looks at ranges before they are taken back.
   *
   * @param asked those asked for and not over
   * @param askedAtEnd how many there were when the stream ended, before what had come was settled
   * @param strays whether the server may speak of others
   */
  Culprits(RangeRead[] asked, int askedAtEnd, boolean strays) {
    for (RangeRead read : asked) {
      if (read.isUntouched()) {
        possible.add(read);
      }
    }
    boolean one = asked.length == 1 && askedAtEnd == 1;
    if (strays || (possible.size() != 1 && !one)) {
      only = Optional.empty();
    } else {
      only = Optional.of(one ? asked[0] : possible.iterator().next());
    }
  }

  /** The only one that can be meant, if there is such a one. */
  Optional<RangeRead> only() {
    return only;
  }

  /** Whether one may be meant. */
  boolean include(RangeRead read) {
    return possible.contains(read);
  }

  /** Queues ranges again: those that may be meant to be tried one by one. */
  void requeue(List<RangeRead> left, PendingReads pending) {
    pending.suspect(left.stream().filter(this::include).toList());
    pending.requeueFirst(left.stream().filter(read -> !include(read)).toList());
  }
}
