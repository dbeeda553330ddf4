// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.RangeCompletion;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.read.SubscriberDestination;
import io.github.gcsmrd.internal.stream.ObjectSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber's read of a range. Thread-safe.
 *
 * <p>Signals come one at a time: the read is submitted after {@code onSubscribe} has returned, the
 * destination calls {@code onNext} serially, and the last signal waits for both the outcome and the
 * word that the destination is quiet. Whoever is told nothing any more, since it cancelled or has
 * had its last signal, is not referred to any more.
 */
final class RangeSubscription implements Flow.Subscription, RangeCompletion {
  private static final System.Logger LOG = System.getLogger(RangeSubscription.class.getName());

  private final ObjectSession session;
  private final SubscriberDestination destination;
  private final RangeRead read;
  private final long timeoutNanos;

  /** The last signal waits for the outcome and for quiet. */
  private final AtomicInteger awaited = new AtomicInteger(2);

  private volatile Flow.@Nullable Subscriber<? super Chunk> subscriber;
  private volatile boolean submitted;

  /** What the subscriber did wrong; wins over whatever became of the read. */
  private volatile @Nullable Throwable refused;

  private volatile @Nullable Throwable failure;

  RangeSubscription(
      ObjectSession session,
      Flow.Subscriber<? super Chunk> subscriber,
      ByteRange range,
      DownloadOptions options,
      boolean views,
      QueueSettings settings) {
    this.session = session;
    this.subscriber = subscriber;
    this.destination = new SubscriberDestination(this::next, views, settings);
    this.read = new RangeRead(range, destination, this, options.checksums() == Checksums.ON);
    this.timeoutNanos = options.timeout().map(Duration::toNanos).orElse(ReadCall.NO_TIMEOUT);
  }

  /** Introduces itself to the subscriber, then begins. Once. */
  void start(Consumer<ReadCall> submission) {
    Flow.Subscriber<? super Chunk> told = subscriber;
    if (told == null) {
      return;
    }
    try {
      told.onSubscribe(this);
    } catch (Throwable e) {
      threw("onSubscribe", e);
    }
    if (subscriber == null) {
      return;
    }
    submission.accept(new ReadCall(List.of(read), timeoutNanos));
    submitted = true;
    if (isAbandoned()) {
      // It was given up in between, and the session may have looked before.
      abandon();
    }
  }

  @Override
  public void request(long n) {
    if (subscriber == null) {
      return;
    }
    if (n <= 0) {
      refused =
          new IllegalArgumentException("request(" + n + "): demand must be positive (rule 3.9)");
      abandon();
      return;
    }
    try {
      session.loop().execute(() -> destination.request(n));
    } catch (RejectedExecutionException loopIsGone) {
      // The client is closed: the last signal is on its way.
    }
  }

  @Override
  public void cancel() {
    subscriber = null;
    abandon();
  }

  /** Before the submission this is left to {@link #start}. */
  private void abandon() {
    if (submitted) {
      try {
        session.abandon(read);
      } catch (RejectedExecutionException loopIsGone) {
        // The client is closed, and so the read has ended.
      }
    }
  }

  /** On the blocking executor: hands a chunk over; returns false if nobody takes it. */
  private boolean next(Chunk chunk) {
    Flow.Subscriber<? super Chunk> told = subscriber;
    if (told == null || refused != null) {
      return false;
    }
    try {
      told.onNext(chunk);
      return true;
    } catch (Throwable e) {
      threw("onNext", e);
      return false;
    }
  }

  private void threw(String signal, Throwable thrown) {
    LOG.log(System.Logger.Level.WARNING, "A subscriber threw in " + signal, thrown);
    cancel();
  }

  @Override
  public boolean isAbandoned() {
    return subscriber == null || refused != null;
  }

  @Override
  public boolean claim() {
    return true;
  }

  @Override
  public void succeed(RangeResult result) {
    arrived();
  }

  @Override
  public void fail(Throwable failure) {
    this.failure = failure;
    arrived();
  }

  @Override
  public void quiet() {
    arrived();
  }

  private void arrived() {
    if (awaited.decrementAndGet() == 0) {
      end();
    }
  }

  /** Nothing calls the subscriber any more: gives it its last signal. */
  private void end() {
    Flow.Subscriber<? super Chunk> told = subscriber;
    subscriber = null;
    if (told == null) {
      return;
    }
    Throwable cause = refused == null ? failure : refused;
    try {
      if (cause == null) {
        told.onComplete();
      } else {
        told.onError(cause);
      }
    } catch (Throwable e) {
      threw(cause == null ? "onComplete" : "onError", e);
    }
  }

  @Override
  public String toString() {
    return "RangeSubscription[" + read.range() + (subscriber == null ? ", over" : "") + "]";
  }
}
