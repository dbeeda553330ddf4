// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.stream.ObjectSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * An open object, of which many ranges are read over one stream, or several. Made by {@link
 * GcsClient#createMrd(String, String)}. Thread-safe: any method may be called from any thread, also
 * from sinks and callbacks.
 *
 * <p>It survives broken streams, redirects and wrong answers by itself, within the limits of its
 * {@link MrdOptions}. After it failed for good, each later call fails with the same cause; make a
 * new one then.
 */
public final class MultiRangeDownloader implements AutoCloseable {
  /** Longest array that any virtual machine allocates. */
  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  /** What a range costs in bookkeeping, futures included, by measurement rounded up. */
  private static final int BYTES_PER_RANGE = 1_024;

  private final String bucket;
  private final String object;
  private final ObjectSession session;
  private final ReadPlan plan;
  private final SessionEvents events;

  MultiRangeDownloader(String bucket, String object, ReadPlan plan, SessionEvents events) {
    this.bucket = bucket;
    this.object = object;
    this.session = plan.session();
    this.plan = plan;
    this.events = events;
  }

  /**
   * Returns the bucket.
   *
   * @return its plain name
   */
  public String bucket() {
    return bucket;
  }

  /**
   * Returns the object.
   *
   * @return its name
   */
  public String object() {
    return object;
  }

  /**
   * Returns the future of the object's metadata: done when the object is open. Reading need not
   * wait for it.
   *
   * @return a copy, which ends with a {@link SessionException} if the object can't be opened
   */
  public CompletableFuture<ObjectInfo> opened() {
    return events.opened().copy();
  }

  /**
   * Returns the newest read handle, with which another session opens the object faster.
   *
   * @return the handle, if the service gave one by now
   */
  public Optional<ReadHandle> readHandle() {
    return session.readHandle();
  }

  /**
   * Reads ranges, with the default options.
   *
   * @param requests the ranges and where their bytes go; may overlap, their destinations must not
   * @return the future of the results, in the order asked
   * @throws IllegalArgumentException if there are more ranges than memory to keep them
   */
  public Download downloadRanges(List<RangeRequest> requests) {
    return downloadRanges(requests, DownloadOptions.defaults());
  }

  /**
   * Reads ranges. Either this throws and nothing is sent, or everything that happens is told
   * through the futures.
   *
   * @param requests the ranges and where their bytes go; may overlap, their destinations must not
   * @param options the options of this call
   * @return the future of the results, in the order asked
   * @throws IllegalArgumentException if there are more ranges than memory to keep them
   */
  public Download downloadRanges(List<RangeRequest> requests, DownloadOptions options) {
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(options, "options");
    long most = Runtime.getRuntime().maxMemory() / 2 / BYTES_PER_RANGE;
    if (requests.size() > most) {
      throw new IllegalArgumentException(
          "requests has "
              + requests.size()
              + " ranges, more than the heap can keep ("
              + most
              + "): submit them in parts");
    }
    List<RangeRequest> copy = new ArrayList<>(requests.size());
    List<ByteRange> asked = new ArrayList<>(requests.size());
    for (RangeRequest request : requests) {
      if (request == null) {
        throw new NullPointerException("requests[" + copy.size() + "]");
      }
      copy.add(request);
      asked.add(request.range());
    }
    Download download = new Download(session, bucket, object, asked);
    List<RangeRead> reads = new ArrayList<>(copy.size());
    boolean checking = options.checksums() == Checksums.ON;
    for (int i = 0; i < copy.size(); i++) {
      reads.addAll(plan.reads(copy.get(i), download.future(i), checking));
    }
    submit(reads, options.timeout());
    return download;
  }

  /**
   * Reads one range into a new array, with the default options.
   *
   * @param range the range; if it is longer than the object, the array has what there is
   * @return the future of the bytes; completing it from outside gives the range up
   * @throws IllegalArgumentException if the range is longer than an array can be
   */
  public CompletableFuture<byte[]> read(ByteRange range) {
    return read(range, DownloadOptions.defaults());
  }

  /**
   * Reads one range into a new array.
   *
   * @param range the range; if it is longer than the object, the array has what there is
   * @param options the options of this call
   * @return the future of the bytes; completing it from outside gives the range up
   * @throws IllegalArgumentException if the range is longer than an array can be
   */
  public CompletableFuture<byte[]> read(ByteRange range, DownloadOptions options) {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(options, "options");
    long limit = RangeRequest.limitOf(range);
    if (limit > MAX_ARRAY_BYTES) {
      throw new IllegalArgumentException(
          "range " + range + " is too long for a byte[]: " + limit + " bytes; use downloadRanges");
    }
    Download download = new Download(session, bucket, object, List.of(range));
    Destination destination = new GrowingDestination(Math.max(limit, 0));
    boolean checking = options.checksums() == Checksums.ON;
    List<RangeRead> reads =
        List.of(new RangeRead(range, destination, download.future(0), checking));
    download.future(0).readBy(reads);
    submit(reads, options.timeout());
    return ArrayFuture.of(download.future(0));
  }

  /**
   * Returns a publisher of the chunks of one range, with the default options.
   *
   * @param range the range
   * @return the publisher; nothing is read before somebody subscribes and asks for chunks
   */
  public RangePublisher publisher(ByteRange range) {
    return publisher(range, DownloadOptions.defaults());
  }

  /**
   * Returns a publisher of the chunks of one range.
   *
   * @param range the range
   * @param options the options of each read; a time limit counts from the subscription
   * @return the publisher; nothing is read before somebody subscribes and asks for chunks
   */
  public RangePublisher publisher(ByteRange range, DownloadOptions options) {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(options, "options");
    return new RangePublisher(this, range, options, false);
  }

  /** Begins an independent read for a subscriber. */
  void subscribe(
      Flow.Subscriber<? super Chunk> subscriber,
      ByteRange range,
      DownloadOptions options,
      boolean views) {
    RangeSubscription subscription =
        new RangeSubscription(session, subscriber, range, options, views, plan.queue(range));
    subscription.start(call -> events.submit(session, call));
  }

  private void submit(List<RangeRead> reads, Optional<Duration> timeout) {
    if (reads.isEmpty()) {
      return;
    }
    events.submit(
        session, new ReadCall(reads, timeout.map(Duration::toNanos).orElse(ReadCall.NO_TIMEOUT)));
  }

  /**
   * Closes the session and waits for the end of its stream, at most about 5 s. Ranges that wait
   * fail with {@link SessionClosedException}; results delivered earlier stay valid. Closing twice
   * does nothing. In a callback on an event loop it doesn't wait; an interrupt ends the wait and is
   * kept.
   */
  @Override
  public void close() {
    CompletableFuture<Void> closed = closeAsync();
    if (!session.loop().inLoop()) {
      Waits.atMost(closed, GcsClient.CLOSE_WAIT);
    }
  }

  /**
   * Begins to close the session, as {@link #close()}, and never blocks.
   *
   * @return a future that ends, always normally, when the stream has ended
   */
  public CompletableFuture<Void> closeAsync() {
    return events.close(session, "the session was closed").copy();
  }

  @Override
  public String toString() {
    return "MultiRangeDownloader[gs://" + bucket + "/" + object + ", " + events + "]";
  }
}
