// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.RangeRead.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one list of ranges that wait for bytes: those to be asked for and those asked for. Whoever
 * opens a stream sends all of it. Confined to the loop.
 *
 * <p>A range that ends while it waits stays in its queue as a corpse until its turn: taking it out
 * would cost a search. They are buried together, so that a queue that stands still keeps few.
 *
 * <p>Suspects are ranges of which one failed a stream without the server saying which. They are
 * asked for one at a time, before anything else: the one that fails alone is the culprit.
 */
final class PendingReads {
  private final ArrayDeque<RangeRead> waiting = new ArrayDeque<>();
  private final ArrayDeque<RangeRead> suspects = new ArrayDeque<>();
  private final Set<RangeRead> pausedSuspects = new HashSet<>();
  private final ReadTable asked = new ReadTable();
  private int waitingAlive;
  private int corpses;
  private int strays;
  private long strayBytes;

  /** Never used twice in a session, so that what is late for an old id is known by it. */
  private long nextReadId = 1;

  private @Nullable RangeRead onTrial;

  /** Whether nothing waits for bytes. */
  boolean isEmpty() {
    return waitingAlive == 0 && asked.size() == 0;
  }

  /** Whether ranges wait to be asked for. */
  boolean hasWaiting() {
    return waitingAlive > 0;
  }

  /** How many ranges are asked for. */
  int askedCount() {
    return asked.size();
  }

  /** Queues a range to be asked for. */
  void enqueue(RangeRead read) {
    await(read);
    if (pausedSuspects.remove(read)) {
      suspects.add(read);
    } else {
      waiting.add(read);
    }
  }

  /** Whoever waits keeps no memory from those of other sessions. */
  private void await(RangeRead read) {
    read.become(State.WAITING);
    read.destination().returnCredit();
    waitingAlive++;
  }

  /**
   * Fills a message: gives each range that is asked for now an id of its own, and files it under
   * it.
   *
   * @param batch filled from empty
   * @param outstandingLimit how many may be asked for at a time
   * @param nowNanos the time
   */
  void ask(List<RangeRead> batch, int outstandingLimit, long nowNanos) {
    batch.clear();
    while (batch.size() < SessionLimits.RANGES_PER_MESSAGE && asked.size() < outstandingLimit) {
      RangeRead read = poll();
      if (read == null) {
        return;
      }
      if (!read.destination().takeCredit()) {
        pause(read);
        continue;
      }
      read.ask(nextReadId++, nowNanos);
      asked.add(read);
      batch.add(read);
    }
  }

  /** There is no memory for what would come; a suspect stays one. */
  private void pause(RangeRead read) {
    if (read == onTrial) {
      onTrial = null;
      pausedSuspects.add(read);
    }
    read.become(State.PAUSED);
  }

  /**
   * The next range to ask for, or null if there is none or a suspect must be tried alone: beside
   * none, that is, that could be meant by the next error. A range that got a byte could not.
   */
  @Nullable RangeRead poll() {
    if (!suspects.isEmpty()) {
      if (asked.untouched() > 0) {
        return null;
      }
      onTrial = pollAlive(suspects);
      if (onTrial != null) {
        return onTrial;
      }
    }
    return onTrial == null ? pollAlive(waiting) : null;
  }

  /** Bytes of a range were delivered: returns whether that ends a trial. */
  boolean acquits(RangeRead read) {
    boolean acquitted = onTrial == read;
    if (acquitted) {
      onTrial = null;
    }
    return acquitted;
  }

  private @Nullable RangeRead pollAlive(ArrayDeque<RangeRead> queue) {
    for (RangeRead read = queue.poll(); read != null; read = queue.poll()) {
      if (read.state() == State.WAITING) {
        waitingAlive--;
        return read;
      }
      corpses--;
    }
    return null;
  }

  /** The range asked for under an id, or null for one that is unknown or over. */
  @Nullable RangeRead lookup(long readId) {
    return asked.get(readId);
  }

  /** Nothing more is expected for a range under its id; does nothing if that was so already. */
  void settled(RangeRead read) {
    asked.remove(read);
    if (onTrial == read) {
      onTrial = null;
    }
  }

  /**
   * A range is given up under its id, though the server may still speak of it: data that is
   * dropped, or an error.
   */
  void givenUp(RangeRead read) {
    if (asked.get(read.readId()) == read) {
      strays++;
      long left = read.position().unreceivedBytes();
      strayBytes = Math.min(left, Long.MAX_VALUE - strayBytes) + strayBytes;
    }
    settled(read);
  }

  /** Bytes came that nobody waits for. */
  void strayCame(int bytes) {
    strayBytes = Math.max(0, strayBytes - bytes);
  }

  /** How many bytes may still come that nobody waits for. */
  long strayBytes() {
    return strayBytes;
  }

  /** Whether the server may still speak of a range that nobody here waits for. */
  boolean hasStrays() {
    return strays > 0;
  }

  /** A range ends; the caller moves it to its last state after. */
  void forget(RangeRead read) {
    if (read.state() == State.WAITING) {
      waitingAlive--;
      corpses++;
    } else {
      givenUp(read);
      pausedSuspects.remove(read);
    }
  }

  /** Takes out ranges that were forgotten while they waited, once they outnumber the living. */
  void bury() {
    if (corpses > 2 * waitingAlive) {
      waiting.removeIf(read -> read.state() != State.WAITING);
      suspects.removeIf(read -> read.state() != State.WAITING);
      corpses = 0;
    }
  }

  /**
   * Takes out ranges that wait, to be read elsewhere. None stays as a corpse: it would come to life
   * when the range waits again, there or here.
   *
   * @param which tells those that may go
   */
  List<RangeRead> takeWaiting(Predicate<RangeRead> which) {
    List<RangeRead> taken = new ArrayList<>();
    takeWaiting(suspects, which, taken);
    takeWaiting(waiting, which, taken);
    waitingAlive -= taken.size();
    return taken;
  }

  private static void takeWaiting(
      ArrayDeque<RangeRead> queue, Predicate<RangeRead> which, List<RangeRead> taken) {
    queue.removeIf(
        read -> {
          boolean goes = read.state() == State.WAITING && which.test(read);
          if (goes) {
            taken.add(read);
          }
          return goes;
        });
  }

  /** The ranges asked for, oldest first; they stay. */
  RangeRead[] askedReads() {
    return asked.snapshot();
  }

  /** The stream ended: takes out what was asked for on it, oldest first. */
  RangeRead[] takeAsked() {
    strays = 0;
    strayBytes = 0;
    return asked.drain();
  }

  /** Puts ranges of an ended stream before those that never were on it. */
  void requeueFirst(List<RangeRead> reads) {
    requeue(reads, waiting);
  }

  /** Puts ranges of an ended stream up for trial. */
  void suspect(List<RangeRead> reads) {
    requeue(reads, suspects);
  }

  private void requeue(List<RangeRead> reads, ArrayDeque<RangeRead> queue) {
    for (int i = reads.size() - 1; i >= 0; i--) {
      RangeRead read = reads.get(i);
      await(read);
      (read == onTrial ? suspects : queue).addFirst(read);
    }
    onTrial = null;
  }

  /** Forgets everything. */
  void clear() {
    waiting.clear();
    suspects.clear();
    pausedSuspects.clear();
    asked.drain();
    waitingAlive = 0;
    corpses = 0;
    onTrial = null;
  }
}
