// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Turn by turn: the loop and the executor run when the test says so. */
class SubscriberDestinationTest {
  private static final int CHUNK_BYTES = 128 << 10;

  /** Keeps tasks until the test runs them. */
  private static final class Turns implements Executor {
    final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    boolean shutDown;

    @Override
    public void execute(Runnable task) {
      if (shutDown) {
        throw new RejectedExecutionException("shut down");
      }
      tasks.add(task);
    }

    void runAll() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  private static final class Told implements Destination.Listener {
    int consumed;
    int held;
    int loopGone;
    Throwable failure;

    @Override
    public void onConsumed() {
      consumed++;
    }

    @Override
    public void onFailure(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public void onLoopGone() {
      loopGone++;
    }

    @Override
    public void onHeld(int messages) {
      held += messages;
    }
  }

  private final Turns loop = new Turns();
  private final Turns workers = new Turns();
  private final Told told = new Told();
  private final List<Chunk> got = new ArrayList<>();
  private final List<MessageMemory> messages = new ArrayList<>();
  private int freed;
  private HoldLimit limit;

  private QueueSettings settings() {
    return new QueueSettings(workers, loop, new CreditPool(1L << 40), QueueSettings.UNLIMITED);
  }

  private SubscriberDestination destination(boolean views) {
    return new SubscriberDestination(got::add, views, settings());
  }

  private SubscriberDestination attached(boolean views) {
    SubscriberDestination destination = destination(views);
    destination.attach(told);
    return destination;
  }

  /** Delivers chunks, each a message of its own, whose receiver lets go at once. */
  private void deliver(SubscriberDestination destination, int count) {
    for (int i = 0; i < count; i++) {
      long position = (long) messages.size() * CHUNK_BYTES;
      MessageMemory memory = new MessageMemory(CHUNK_BYTES, () -> freed++, limit);
      messages.add(memory);
      destination.deliver(
          position, position, Content.wrap(new byte[CHUNK_BYTES]), 0, CHUNK_BYTES, memory);
      memory.release();
    }
  }

  private void runAll() {
    while (!workers.tasks.isEmpty() || !loop.tasks.isEmpty()) {
      workers.runAll();
      loop.runAll();
    }
  }

  @Test
  void thereIsNoCreditBeforeTheFirstDemand() {
    SubscriberDestination destination = destination(true);
    assertFalse(destination.hasDemand());
    assertEquals(0, destination.creditBytes());
    destination.request(1);
    assertTrue(destination.hasDemand());
    assertTrue(destination.takeCredit());
    assertEquals(DestinationCredit.FULL_BYTES, destination.creditBytes());
  }

  @Test
  void demandFromBeforeTheSubmissionCounts() {
    SubscriberDestination destination = destination(false);
    destination.request(1);
    destination.request(1);
    destination.attach(told);
    deliver(destination, 3);
    runAll();
    assertEquals(2, got.size());
    assertFalse(destination.isIdle());
    destination.request(5);
    runAll();
    assertEquals(3, got.size());
    assertTrue(destination.isIdle());
    assertTrue(destination.takeCredit());
    assertEquals(DestinationCredit.FULL_BYTES, destination.creditBytes());
  }

  @Test
  void demandBeyondALongIsUnlimited() {
    SubscriberDestination destination = attached(false);
    destination.request(Long.MAX_VALUE - 1);
    destination.request(Long.MAX_VALUE);
    for (int i = 0; i < 10; i++) {
      deliver(destination, 1);
      runAll();
    }
    assertEquals(10, got.size());
  }

  @Test
  void copiesHoldNoMessage() {
    SubscriberDestination destination = attached(false);
    destination.request(1);
    assertTrue(destination.takeCredit());
    deliver(destination, 6);
    assertEquals(0, told.held);
    assertEquals(6, freed);
    assertEquals(DestinationCredit.FULL_BYTES - 6L * CHUNK_BYTES, destination.creditBytes());
  }

  @Test
  void viewsBeyondAFewAreCopies() {
    SubscriberDestination destination = attached(true);
    destination.request(1);
    deliver(destination, 10);
    assertEquals(QueuedDestination.MAX_HELD_MESSAGES, told.held);
    assertEquals(10 - QueuedDestination.MAX_HELD_MESSAGES, freed);
    runAll();
    assertEquals(QueuedDestination.MAX_HELD_MESSAGES - 1, told.held, "one is the subscriber's now");
    destination.request(9);
    runAll();
    assertEquals(0, told.held);
    assertEquals(10, got.size());
    got.forEach(Chunk::close);
    assertEquals(10, freed);
  }

  @Test
  void viewsBeyondWhatMayBePinnedAreCopies() {
    limit = new HoldLimit(2L * CHUNK_BYTES, () -> (long) (messages.size() - freed) * CHUNK_BYTES);
    SubscriberDestination destination = attached(true);
    destination.request(3);
    deliver(destination, 3);
    assertEquals(2, told.held);
    assertEquals(1, freed, "the third is a copy");
    runAll();
    assertEquals(3, got.size());
    got.forEach(Chunk::close);
    assertEquals(3, freed);
    deliver(destination, 1);
    assertEquals(1, told.held, "there is room again");
    destination.request(1);
    runAll();
    got.get(3).close();
    assertEquals(4, freed);
  }

  @Test
  void givingUpClosesWhatWaitsAndWhatIsOnItsWay() {
    SubscriberDestination destination = attached(true);
    destination.request(2);
    deliver(destination, 4);
    workers.runAll();
    assertEquals(1, got.size(), "the first was handed over alone, as it came");
    loop.runAll();
    destination.abandon();
    assertFalse(destination.isIdle(), "the second is on its way");
    runAll();
    assertTrue(destination.isIdle());
    assertEquals(1, got.size());
    assertEquals(3, freed);
    assertEquals(0, told.held);
    destination.request(7);
    runAll();
    assertEquals(1, got.size());
  }

  @Test
  void aSubscriberThatIsGoneGetsNothingAndNothingLeaks() {
    SubscriberDestination destination = new SubscriberDestination(chunk -> false, true, settings());
    destination.attach(told);
    destination.request(3);
    deliver(destination, 3);
    runAll();
    assertEquals(3, freed);
    assertEquals(0, told.held);
    assertTrue(destination.isIdle());
  }

  @Test
  void anExecutorThatTakesNothingIsAFailureAndHoldsNothing() {
    SubscriberDestination destination = attached(true);
    workers.shutDown = true;
    deliver(destination, 1);
    destination.request(1);
    assertSame(RejectedExecutionException.class, told.failure.getClass());
    assertThrows(
        RejectedExecutionException.class,
        () -> {
          destination.request(1);
          deliver(destination, 1);
        });
    assertEquals(1, freed);
    assertEquals(0, told.held);
    assertTrue(destination.isIdle());
  }

  @Test
  void aLoopThatIsGoneIsToldOnce() {
    SubscriberDestination destination = attached(false);
    destination.request(1);
    deliver(destination, 1);
    loop.shutDown = true;
    workers.runAll();
    assertEquals(1, told.loopGone);
    assertEquals(1, got.size());
  }
}
