// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static io.github.gcsmrd.interleavings.Interleavings.explore;
import static io.github.gcsmrd.interleavings.Interleavings.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.gcsmrd.interleavings.Interleavings.Tasks;
import io.github.gcsmrd.internal.stream.Loop;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events of one call that come from the loop and from elsewhere. */
@Tag("interleavings")
class LoopSerializerInterleavingsTest {

  /** Tasks that whoever runs them runs as the loop. */
  private static final class TaskLoop implements Loop {
    private final Tasks tasks = new Tasks();
    private volatile Thread owner;

    @Override
    public boolean inLoop() {
      return Thread.currentThread() == owner;
    }

    void own() {
      owner = Thread.currentThread();
    }

    @Override
    public void execute(Runnable task) {
      tasks.execute(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long now() {
      return 0;
    }
  }

  /** Notes the order of events; each asserts that it is alone. */
  private static final class Seen {
    private final StringBuilder order = new StringBuilder();
    private boolean inside;

    Runnable event(char name) {
      return () -> {
        assertFalse(inside, "an event inside another");
        inside = true;
        order.append(name);
        inside = false;
      };
    }
  }

  /**
   * gRPC's thread brings the headers and hops; the loop has run that hop but not counted it, or
   * counted and not run it, as the next event comes on the loop itself. Those of one thread keep
   * their order, and none is lost.
   */
  @Test
  void eventsOfOneThreadKeepTheirOrderAndNoneIsLost() {
    explore(
        () -> {
          TaskLoop loop = new TaskLoop();
          LoopSerializer serializer = new LoopSerializer(loop);
          Seen seen = new Seen();
          together(
              () -> {
                serializer.arrive(seen.event('a'));
                serializer.arrive(seen.event('b'));
              },
              () -> {
                loop.own();
                serializer.arrive(seen.event('1'));
                loop.tasks.runAll();
                serializer.arrive(seen.event('2'));
              });
          loop.own();
          loop.tasks.runAll();
          String order = seen.order.toString();
          assertEquals(4, order.length(), order);
          assertEquals("ab", order.replaceAll("[12]", ""));
          assertEquals("12", order.replaceAll("[ab]", ""));
        });
  }

  /** Two threads that are not the loop's bring events at once: each runs, none inside another. */
  @Test
  void eventsOfTwoThreadsEachRunOnce() {
    explore(
        () -> {
          TaskLoop loop = new TaskLoop();
          LoopSerializer serializer = new LoopSerializer(loop);
          Seen seen = new Seen();
          together(
              () -> serializer.arrive(seen.event('a')), () -> serializer.arrive(seen.event('b')));
          loop.own();
          loop.tasks.runAll();
          assertEquals(2, seen.order.length());
        });
  }
}
