// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static io.github.gcsmrd.interleavings.Interleavings.explore;
import static io.github.gcsmrd.interleavings.Interleavings.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.interleavings.Interleavings.Tasks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pool between loops that take from it, wait for it and give back to it. */
@Tag("interleavings")
class CreditPoolInterleavingsTest {
  private static final long SHARE = CreditPool.LEAST_SHARE_BYTES;

  /** A and B both see 100 bytes free, and each takes 60. */
  @Test
  void twoNeverTakeTheSameBytes() {
    explore(
        () -> {
          CreditPool pool = new CreditPool(100);
          boolean[] taken = new boolean[2];
          together(() -> taken[0] = pool.tryTake(60), () -> taken[1] = pool.tryTake(60));
          assertTrue(taken[0] != taken[1], "both, or none");
          assertEquals(40, pool.freeBytes());
        });
  }

  /** A destination that waits as {@link DestinationCredit} does, on a loop of its own. */
  private static final class Waiting {
    private final CreditPool pool;
    final Tasks loop = new Tasks();
    boolean registered;
    int shares;

    Waiting(CreditPool pool) {
      this.pool = pool;
    }

    void take() {
      if (pool.tryTake(SHARE)) {
        shares++;
        return;
      }
      if (!registered) {
        registered = true;
        pool.onReturn(SHARE, this::returned);
      }
      if (pool.tryTake(SHARE)) {
        shares++;
      }
    }

    private boolean returned() {
      loop.execute(
          () -> {
            registered = false;
            if (shares == 0) {
              take();
            }
            pool.tellNext();
          });
      return true;
    }
  }

  /**
   * A finds nothing free; B gives a share back and finds nobody who waits; A begins to wait, for
   * ever. That is why A tries once more after it has registered.
   */
  @Test
  void bytesThatComeBackAsSomebodyBeginsToWaitAreNotMissed() {
    explore(
        () -> {
          CreditPool pool = new CreditPool(SHARE);
          assertTrue(pool.tryTake(SHARE));
          Waiting waiting = new Waiting(pool);
          together(waiting::take, () -> pool.give(SHARE));
          waiting.loop.runAll();
          assertEquals(1, waiting.shares);
          assertEquals(0, pool.freeBytes());
        });
  }

  /**
   * Two wait. A gives a share back and looks at the first; B gives one back and tells the first; A
   * takes out the second, or nobody. Both must have their share in the end.
   */
  @Test
  void twoWhoGiveTellTwoWhoWait() {
    explore(
        () -> {
          CreditPool pool = new CreditPool(2 * SHARE);
          assertTrue(pool.tryTake(2 * SHARE));
          Waiting first = new Waiting(pool);
          Waiting second = new Waiting(pool);
          first.take();
          second.take();
          together(() -> pool.give(SHARE), () -> pool.give(SHARE));
          runBoth(first, second);
          assertEquals(1, first.shares);
          assertEquals(1, second.shares);
        });
  }

  /**
   * The first was told and finds, on its loop, that somebody else took the share meanwhile; it
   * waits again, behind the second. When that share comes back, one of them is told and, having
   * looked, tells the other.
   */
  @Test
  void whoWasToldInVainWaitsAgain() {
    explore(
        () -> {
          CreditPool pool = new CreditPool(SHARE);
          assertTrue(pool.tryTake(SHARE));
          Waiting waiting = new Waiting(pool);
          waiting.take();
          boolean[] thief = new boolean[1];
          together(
              () -> {
                pool.give(SHARE);
                waiting.loop.runAll();
              },
              () -> {
                thief[0] = pool.tryTake(SHARE);
                if (thief[0]) {
                  pool.give(SHARE);
                }
              });
          waiting.loop.runAll();
          assertEquals(1, waiting.shares);
          assertEquals(0, pool.freeBytes());
        });
  }

  private static void runBoth(Waiting first, Waiting second) {
    for (int i = 0; i < 3; i++) {
      first.loop.runAll();
      second.loop.runAll();
    }
  }
}
