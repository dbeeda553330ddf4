// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.RangeRead.State;
import io.github.gcsmrd.internal.read.ReadFault;
import io.github.gcsmrd.internal.read.ReadStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Every range of a session that has not ended, in the order of submission, and how it ends.
 * Confined to the loop.
 */
final class LiveReads {
  private final Loop loop;
  private final Completions completions;
  private final Failures failures;
  private final ObjectPin pin;
  private final SessionLimits limits;
  private final StreamHost host;
  private final Map<RangeRead, Watch> watches = new LinkedHashMap<>();
  private final StarvedReads starved;
  private int heldByOneCall;

  private final Draining draining = new Draining();

  /** Set once, before the first range: it needs this to be made. */
  private @Nullable Connector connector;

  LiveReads(
      Loop loop,
      Completions completions,
      Failures failures,
      ObjectPin pin,
      SessionLimits limits,
      StreamHost host) {
    this.host = host;
    this.starved = new StarvedReads(loop, limits.rangeTimeoutNanos(), this::fail);
    this.loop = loop;
    this.completions = completions;
    this.failures = failures;
    this.pin = pin;
    this.limits = limits;
  }

  void connect(Connector connector) {
    this.connector = connector;
  }

  /** Takes a range in. */
  void add(RangeRead read) {
    Watch watch = new Watch(read);
    watches.put(read, watch);
    read.destination().attach(watch);
  }

  /** Whether a range is here, and not quiet yet. */
  boolean has(RangeRead read) {
    return watches.containsKey(read);
  }

  /** Lets go of the ranges of which nothing is on its way, and that can be read elsewhere. */
  List<RangeRead> release() {
    List<RangeRead> released =
        wired().isRunning() ? wired().takeWaiting(RangeRead::mayMove) : stranded();
    for (RangeRead read : released) {
      watches.remove(read);
      letGo(read);
    }
    return released;
  }

  /** A range goes elsewhere. */
  void letGo(RangeRead read) {
    host.left(read);
    read.leave();
  }

  /** What waits though no stream comes any more, or was asked for on one that brought nothing. */
  private List<RangeRead> stranded() {
    List<RangeRead> stranded = new ArrayList<>();
    for (RangeRead read : snapshot()) {
      if (read.destination().isMovable() && isAtRest(read)) {
        stranded.add(read);
      }
    }
    return stranded;
  }

  private boolean isAtRest(RangeRead read) {
    return read.state() == State.WAITING
        || (read.state() == State.ASKED && read.rewind(pin.whole()) instanceof ReadStep.Continue);
  }

  /** Nothing more comes for a range under its present id; or it does, but for nobody. */
  void over(RangeRead read, boolean givenUp) {
    if (givenUp) {
      wired().givenUp(read);
    } else {
      wired().settled(read);
    }
  }

  /** Bytes were delivered: failures count anew. */
  void delivered(RangeRead read) {
    pin.delivered();
    wired().delivered(read);
  }

  /** So many more messages are held (fewer if negative). */
  void held(int messages) {
    wired().held(messages, heldByOneCall);
  }

  /** The call that holds most chunks holds so many. */
  void heldByOneCall(int chunks) {
    heldByOneCall = chunks;
    held(0);
  }

  /** This library failed while it settled held pieces. */
  void fault(Throwable fault) {
    wired().fault(fault);
  }

  /** All that have not ended; they may end while one goes over them. */
  RangeRead[] snapshot() {
    return watches.keySet().toArray(new RangeRead[0]);
  }

  /** User code works on the destination: it can't become quiet. */
  void userCodeStarts(RangeRead read) {
    watchOf(read).busy = true;
  }

  /** Whether it does. */
  boolean userCodeRuns(RangeRead read) {
    return watchOf(read).busy;
  }

  /** The user code ended. */
  void userCodeEnded(RangeRead read) {
    Watch watch = watchOf(read);
    watch.busy = false;
    watch.announceIfQuiet();
  }

  /** What was decided for a range is done. */
  void act(RangeRead read, ReadStep step) {
    if (read.isDone() || step instanceof ReadStep.Continue) {
      return;
    }
    if (step instanceof ReadStep.Finished) {
      wired().progress();
      finish(read);
    } else if (step instanceof ReadStep.AskOn) {
      askOn(read);
    } else if (step instanceof ReadStep.Repair repair) {
      repair(read, repair.fault());
    } else if (step instanceof ReadStep.Fail fail) {
      fail(read, fail.failure());
    }
  }

  private void askOn(RangeRead read) {
    if (read.state() != State.FAILING && hasDemandOrPauses(read)) {
      wired().add(read);
    } else {
      wired().restIfUnawaited();
    }
  }

  /** Asks for a range again from its delivered bytes, if its budget allows. */
  void repair(RangeRead read, ReadFault fault) {
    if (!endsByRepairs(read, fault)) {
      askAgain(read);
    }
  }

  /**
   * Counts a repair; fails the range, and returns true, if that is one too many, or if it is to
   * fail anyway.
   */
  boolean endsByRepairs(RangeRead read, ReadFault fault) {
    boolean allowed = read.progress().repair(fault, limits.maxRepairs(), loop.now());
    if (allowed && read.state() != State.FAILING) {
      return false;
    }
    fail(read, read.progress().exhausted(fault, loop.now()));
    return true;
  }

  /** Asks for a range again from its delivered bytes; it did nothing wrong. */
  void askAgain(RangeRead read) {
    if (read.state() == State.FAILING) {
      return;
    }
    wired().givenUp(read);
    if (mustAskAgain(read)) {
      wired().add(read);
    }
  }

  /** Takes a range back to its delivered bytes; returns false if it ended or rests by that. */
  boolean mustAskAgain(RangeRead read) {
    ReadStep step = read.rewind(pin.whole());
    if (!(step instanceof ReadStep.Continue)) {
      act(read, step);
      return false;
    }
    return hasDemandOrPauses(read);
  }

  private static boolean hasDemandOrPauses(RangeRead read) {
    boolean demand = read.destination().hasDemand();
    if (!demand) {
      read.become(State.PAUSED);
      read.destination().returnCredit();
    }
    return demand;
  }

  /** Everything is delivered; it succeeds once its destination is idle. */
  void finish(RangeRead read) {
    if (read.isDone()) {
      return;
    }
    wired().settled(read);
    if (!read.destination().isIdle()) {
      draining.begins(read);
      wired().restIfUnawaited();
      return;
    }
    RangeResult result;
    try {
      result = read.progress().result();
    } catch (Throwable noResult) {
      fail(read, new RangeFailure.UserCode(noResult));
      return;
    }
    end(read);
    wired().restIfUnawaited();
    if (read.completion().claim()) {
      read.destination().claimed();
      completions.add(() -> read.completion().succeed(result));
    }
    completions.add(read.completion()::ended);
    watchOf(read).announceIfQuiet();
    draining.tell();
  }

  /** A range fails by itself. */
  void fail(RangeRead read, RangeFailure failure) {
    if (!read.isDone()) {
      fail(read, failures.range(failure, read));
    }
  }

  /** A range fails; does nothing if it has ended. */
  void fail(RangeRead read, Throwable failure) {
    if (read.isDone()) {
      return;
    }
    wired().forget(read);
    end(read);
    wired().bury();
    read.destination().abandon();
    completions.add(() -> read.completion().fail(failure));
    completions.add(read.completion()::ended);
    watchOf(read).announceIfQuiet();
    draining.tell();
  }

  /** A range is given up by its user. */
  void cancel(RangeRead read) {
    if (!read.isDone()) {
      fail(read, new CancellationException("range " + read.range() + " was cancelled"));
    }
  }

  /** Ends a range that got nothing for too long while its stream was alive. */
  void checkTimeout(RangeRead read, long sinceNanos, long nowNanos) {
    long silentNanos = read.silentNanos(sinceNanos, nowNanos);
    if (silentNanos < limits.rangeTimeoutNanos()) {
      return;
    }
    if (read.progress().lacksOnlyTheEnd(pin.whole())) {
      act(read, read.progress().endOfObject(pin.whole()));
    } else {
      String limit = "no byte for " + silentNanos / 1e9 + " s while the stream was alive";
      failInTurn(read, new RangeFailure.TimedOut(limit));
    }
  }

  /**
   * A range is to fail for what no chunk of it brought: nothing more is taken for it, and it fails
   * once what its call holds is settled, unless that completes it or fails a check.
   */
  void failInTurn(RangeRead read, RangeFailure failure) {
    if (read.isDone() || read.state() == State.FAILING) {
      return;
    }
    wired().forget(read);
    draining.leaves(read);
    read.failing();
    read.call().afterHeld(() -> fail(read, failure));
  }

  private void end(RangeRead read) {
    draining.leaves(read);
    host.left(read);
    read.end();
  }

  /** The ranges that only wait for their sinks. */
  Draining draining() {
    return draining;
  }

  private Watch watchOf(RangeRead read) {
    return Objects.requireNonNull(watches.get(read), () -> "unknown " + read);
  }

  private Connector wired() {
    return Objects.requireNonNull(connector, "not connected");
  }

  /** Looks after one range's destination until it is quiet. Confined to the loop. */
  private final class Watch implements Destination.Listener {
    private final RangeRead read;
    private boolean busy;

    Watch(RangeRead read) {
      this.read = read;
    }

    @Override
    public void onConsumed() {
      if (read.isDone()) {
        announceIfQuiet();
      } else if (read.state() == State.DRAINING) {
        finish(read);
      } else if (read.state() == State.PAUSED && read.destination().hasDemand()) {
        wired().add(read);
      }
    }

    @Override
    public void onFailure(Throwable failure) {
      if (read.isDone()) {
        announceIfQuiet();
      } else {
        fail(read, new RangeFailure.UserCode(failure));
      }
    }

    @Override
    public void onStarved(boolean waits) {
      starved.note(read, waits);
    }

    @Override
    public boolean mayHold() {
      return wired().mayHold();
    }

    @Override
    public void onHeld(int messages) {
      held(messages);
    }

    /**
     * Nothing will touch the destination any more: says so, once, and forgets the range. Apart from
     * the outcome: a callback of either may wait for the other.
     */
    void announceIfQuiet() {
      boolean quiet = read.isDone() && !busy && read.destination().isIdle();
      if (quiet && watches.remove(read) != null) {
        completions.add(read::tellQuiet);
      }
    }

    @Override
    public void onLoopGone() {
      read.tellQuiet();
    }
  }
}
