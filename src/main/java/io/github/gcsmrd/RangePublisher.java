// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Objects;
import java.util.concurrent.Flow;

/**
 * Publishes the chunks of one range, in rising offset order, each byte once. Made by {@link
 * MultiRangeDownloader#publisher(ByteRange)}; immutable and thread-safe.
 *
 * <p><b>Demand</b> counts chunks; their size is the server's choice, 2 MiB is usual. Each
 * subscription is a read of its own, which asks the server for nothing before the subscriber's
 * first {@code request}. From then on at most 8 MiB are fetched ahead of demand: a subscriber that
 * asks for no more makes the server wait. What was fetched counts against {@link
 * GcsClientBuilder#sinkMemoryBytes}, of which it leaves something for others.
 *
 * <p><b>Memory.</b> The subscriber owns its chunks. They are copies on the heap, which need not be
 * closed, unless {@link #views()} was asked for.
 *
 * <p><b>Threads.</b> {@code onSubscribe} is called by the subscribing thread; {@code onNext} on the
 * client's blocking executor, so it may block; {@code onComplete} and {@code onError} on the
 * callback executor; never two at a time for one subscription. An error is the one that the range's
 * future would have had in {@link MultiRangeDownloader#downloadRanges}. A subscriber that throws
 * ends its subscription, which is logged. Closing the session or the client ends subscriptions with
 * a {@link SessionClosedException}, whether they have demand or not.
 */
public final class RangePublisher implements Flow.Publisher<Chunk> {
  private final MultiRangeDownloader mrd;
  private final ByteRange range;
  private final DownloadOptions options;
  private final boolean views;

  RangePublisher(
      MultiRangeDownloader mrd, ByteRange range, DownloadOptions options, boolean views) {
    this.mrd = mrd;
    this.range = range;
    this.options = options;
    this.views = views;
  }

  /**
   * Returns the same publisher with chunks that are views of the memory in which they were
   * received: no copy is made, and <b>the subscriber must close each chunk</b>, or its message
   * stays in direct memory for good. Those that it never got, for it cancelled, are closed for it.
   * Chunks under 64 KiB are copies all the same, as are those that wait for demand behind four
   * views.
   *
   * @return the publisher
   */
  public RangePublisher views() {
    return new RangePublisher(mrd, range, options, true);
  }

  /**
   * Begins a read for a subscriber.
   *
   * @param subscriber gets the chunks, at most as many as it asks for
   */
  @Override
  public void subscribe(Flow.Subscriber<? super Chunk> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    mrd.subscribe(subscriber, range, options, views);
  }

  @Override
  public String toString() {
    return "RangePublisher[" + range + " of " + mrd + (views ? ", views" : "") + "]";
  }
}
