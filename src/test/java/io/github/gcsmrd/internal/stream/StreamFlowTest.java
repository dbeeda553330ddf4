// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.internal.read.ArrivalLane;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamFlowTest {
  private int requested;

  private final StreamCall call =
      new StreamCall() {
        @Override
        public void send(byte[] encodedRequest) {
          throw new AssertionError();
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void request(int count) {
          assertTrue(count > 0);
          requested += count;
        }

        @Override
        public void halfClose() {
          throw new AssertionError();
        }

        @Override
        public void cancel(String reason) {
          throw new AssertionError();
        }

        @Override
        public void cancelSilent(String reason, long silentNanos) {
          throw new AssertionError();
        }
      };

  @Test
  void aFewAreAskedForAhead() {
    StreamFlow flow = new StreamFlow(call, ArrivalLane.MAX_HELD);
    assertFalse(flow.hasDemand());
    flow.replenish();
    assertEquals(8, requested);
    flow.received();
    flow.replenish();
    assertEquals(9, requested);
    flow.replenish();
    assertEquals(9, requested);
  }

  @Test
  void heldMessagesTakeThePlaceOfOthers() {
    StreamFlow flow = new StreamFlow(call, ArrivalLane.MAX_HELD);
    flow.held(30, 0);
    flow.replenish();
    assertEquals(2, requested);
    flow.received();
    flow.held(1, 0);
    flow.replenish();
    flow.received();
    flow.held(1, 0);
    flow.replenish();
    assertFalse(flow.hasDemand());
    flow.held(-1, 0);
    assertTrue(flow.hasDemand());
    assertEquals(3, requested);
  }

  @Test
  void theFullestCallTakesThePlaceOfOthersToo() {
    StreamFlow flow = new StreamFlow(call, ArrivalLane.MAX_HELD);
    flow.held(2, 29);
    flow.replenish();
    assertEquals(3, requested);
    flow.held(0, 28);
    assertEquals(4, requested);
    flow.held(0, 30);
    flow.received();
    flow.replenish();
    assertEquals(4, requested, "three are asked for, where two would do");
    flow.held(29, 0);
    assertEquals(4, requested, "so many messages count as well");
  }

  @Test
  void whatWasAskedForAndWhatIsHeldStayWithinTheBound() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    StreamFlow flow = new StreamFlow(call, ArrivalLane.MAX_HELD);
    flow.replenish();
    int received = 0;
    int held = 0;
    for (int i = 0; i < 10_000; i++) {
      if (random.nextBoolean() && received < requested) {
        received++;
        flow.received();
        if (random.nextInt(4) != 0) {
          held++;
          flow.held(1, 0);
        }
        flow.replenish();
      } else if (held > 0) {
        int fewer = 1 + random.nextInt(held);
        held -= fewer;
        flow.held(-fewer, 0);
      }
      int bound = requested - received + held;
      assertTrue(bound <= StreamFlow.MAX_MESSAGES, () -> bound + ", seed " + seed);
      assertEquals(requested > received, flow.hasDemand(), () -> "seed " + seed);
      assertTrue(held >= 32 || flow.hasDemand(), () -> "seed " + seed);
    }
  }
}
