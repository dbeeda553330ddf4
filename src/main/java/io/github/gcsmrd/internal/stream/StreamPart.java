// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One of the streams of a set: what the set knows of it, and what it tells the set. Written on the
 * stream's loop, or on the home loop where that is said; read by both.
 */
public final class StreamPart implements StreamHost, Session.Listener, StreamChoice.Candidate {
  private final StreamSet set;
  private final Session session;
  private final boolean home;
  private final AtomicLong loadBytes = new AtomicLong();
  private volatile StreamHealth health = StreamHealth.FRESH;
  private volatile boolean onceOpen;

  /** Confined to the home loop, like the next three: how many ranges it was given. */
  private long given;

  /** The same when it was last found busy, and when that was. */
  private long givenWhenBusy;

  private long busyNanos;
  private long retriedNanos;

  /** A stream that was not started. */
  StreamPart(
      StreamSet set,
      StreamOpener opener,
      boolean home,
      SessionConfig config,
      Optional<ObjectInfo> known) {
    this.set = set;
    this.session = opener.session(home, config, this, known);
    this.home = home || session.loop().inLoop();
    this.busyNanos = session.loop().now();
    this.retriedNanos = busyNanos;
  }

  Session session() {
    return session;
  }

  @Override
  public StreamHealth health() {
    return health;
  }

  @Override
  public long loadBytes() {
    return loadBytes.get();
  }

  @Override
  public boolean isHome() {
    return home;
  }

  /** Whether it can be given ranges. */
  boolean isAlive() {
    return health != StreamHealth.ENDED;
  }

  /** Whether it was open at some time. */
  boolean isOnceOpen() {
    return onceOpen;
  }

  /** On the home loop: a range is about to be submitted to it. */
  void take(RangeRead read) {
    long weight = StreamChoice.weigh(read);
    loadBytes.addAndGet(weight);
    given++;
    read.ownedBy(session, weight);
  }

  /** On the home loop: submits ranges that it took. */
  void submit(ReadCall call) {
    session.submit(call);
  }

  /** On the home loop: sees to it that a stream that broke comes back, though work avoids it. */
  void retry(long nowNanos) {
    if (health == StreamHealth.TROUBLED
        && nowNanos - retriedNanos >= StreamBounds.RETRY_REST.toNanos()) {
      retriedNanos = nowNanos;
      try {
        session.retry();
      } catch (RejectedExecutionException loopIsGone) {
        // It is of no use any more.
      }
    }
  }

  /** On the home loop: whether it has had nothing to do for a time. */
  boolean isIdleFor(long limitNanos, long nowNanos) {
    if (loadBytes.get() > 0 || given != givenWhenBusy) {
      givenWhenBusy = given;
      busyNanos = nowNanos;
      return false;
    }
    return nowNanos - busyNanos >= limitNanos;
  }

  @Override
  public void learned(ObjectInfo info) {
    onceOpen = true;
    set.partOpened(this, info);
  }

  @Override
  public void opened(ObjectInfo info) {
    set.tellOpened(this, info);
  }

  @Override
  public void openFailed(GcsException failure) {
    set.tellOpenFailed(this, failure);
  }

  @Override
  public void stopped() {
    set.partStopped(this);
  }

  @Override
  public void health(StreamHealth now) {
    boolean ends = now == StreamHealth.ENDED && health != StreamHealth.ENDED;
    health = now;
    if (ends) {
      set.partEnded(this);
    }
  }

  @Override
  public void left(RangeRead read) {
    loadBytes.addAndGet(-read.loadBytes());
  }

  @Override
  public boolean canTakeOver(StreamHealth atWorst) {
    return set.hasOther(this, atWorst);
  }

  @Override
  public void takeOver(List<RangeRead> reads) {
    set.takeOver(reads);
  }

  @Override
  public String toString() {
    return "StreamPart[" + health + ", " + loadBytes + " bytes" + (home ? ", home" : "") + "]";
  }
}
