// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.interleavings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the explorer finds what it is for. */
@Tag("interleavings")
class InterleavingsTest {
  private static final class Counter {
    private int value;

    void increment() {
      value++;
    }
  }

  private static final class Latches {
    final Object first = new Object();
    final Object second = new Object();
  }

  /** A reads 0; B reads 0 and writes 1; A writes 1: an increment is lost. */
  @Test
  void aLostUpdateIsFound() {
    assertThrows(
        LincheckAssertionError.class,
        () ->
            Interleavings.explore(
                () -> {
                  Counter counter = new Counter();
                  Interleavings.together(counter::increment, counter::increment);
                  assertEquals(2, counter.value);
                }));
  }

  /** A takes the first lock, B the second, and each wants the other's. */
  @Test
  void aDeadlockIsFound() {
    assertThrows(
        LincheckAssertionError.class,
        () ->
            Interleavings.explore(
                () -> {
                  Latches latches = new Latches();
                  Interleavings.together(
                      () -> nested(latches.first, latches.second),
                      () -> nested(latches.second, latches.first));
                }));
  }

  private static void nested(Object outer, Object inner) {
    synchronized (outer) {
      synchronized (inner) {
        assertEquals(true, Thread.holdsLock(inner));
      }
    }
  }
}
