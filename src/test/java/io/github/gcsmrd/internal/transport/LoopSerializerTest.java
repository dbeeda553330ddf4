// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.internal.stream.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LoopSerializerTest {

  /** A loop whose tasks run when the test says so, and that believes what the test says. */
  private static final class ManualLoop implements Loop {
    final Queue<Runnable> tasks = new ArrayDeque<>();
    boolean inLoop = true;
    boolean shutDown;

    @Override
    public boolean inLoop() {
      return inLoop;
    }

    @Override
    public void execute(Runnable task) {
      if (shutDown) {
        throw new RejectedExecutionException();
      }
      tasks.add(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long now() {
      return 0;
    }

    void runAll() {
      inLoop = true;
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  private final ManualLoop loop = new ManualLoop();
  private final LoopSerializer serializer = new LoopSerializer(loop);
  private final List<String> ran = new ArrayList<>();

  private void event(String name) {
    serializer.arrive(() -> ran.add(name));
  }

  @Test
  void onTheLoopAnEventRunsAtOnce() {
    event("a");
    assertEquals(List.of("a"), ran);
  }

  @Test
  void anEventInsideAnEventRunsAfterIt() {
    serializer.arrive(
        () -> {
          event("inner");
          ran.add("outer");
        });
    assertEquals(List.of("outer", "inner"), ran);
  }

  @Test
  void anEventInsideAMethodRunsInATaskOfItsOwn() {
    boolean outermost = serializer.enter();
    event("a");
    event("b");
    serializer.exit(outermost);
    assertEquals(List.of(), ran);
    assertFalse(serializer.isFree(), "a later event would overtake");
    event("c");
    assertEquals(List.of(), ran);
    assertEquals(1, loop.tasks.size(), "one task for all");
    loop.runAll();
    assertEquals(List.of("a", "b", "c"), ran);
    assertTrue(serializer.isFree());
  }

  @Test
  void anEventInsideAMethodInsideAnEventRunsAfterThatEvent() {
    serializer.arrive(
        () -> {
          boolean outermost = serializer.enter();
          event("inner");
          serializer.exit(outermost);
          ran.add("outer");
        });
    assertEquals(List.of("outer", "inner"), ran);
    assertTrue(loop.tasks.isEmpty());
  }

  @Test
  void anEventOnTheLoopDoesNotOvertakeOneThatIsOnItsWayToIt() {
    loop.inLoop = false;
    event("from elsewhere");
    loop.inLoop = true;
    assertFalse(serializer.isFree());
    event("on the loop");
    assertEquals(List.of(), ran);
    loop.runAll();
    assertEquals(List.of("from elsewhere", "on the loop"), ran);
  }

  @Test
  void anEventThatLandsInsideAMethodWaits() {
    loop.inLoop = false;
    event("from elsewhere");
    loop.inLoop = true;
    boolean outermost = serializer.enter();
    loop.runAll();
    assertEquals(List.of(), ran);
    serializer.exit(outermost);
    loop.runAll();
    assertEquals(List.of("from elsewhere"), ran);
  }

  @Test
  void aDirectEventLetsOthersRunAfterIt() {
    assertTrue(serializer.isFree());
    serializer.begin();
    event("inner");
    ran.add("direct");
    serializer.end();
    assertEquals(List.of("direct", "inner"), ran);
  }

  @Test
  void aLoopThatIsGoneIsTold() {
    loop.inLoop = false;
    loop.shutDown = true;
    assertThrows(RejectedExecutionException.class, () -> event("lost"));
    loop.inLoop = true;
    assertTrue(serializer.isFree(), "nothing is on its way");
  }
}
