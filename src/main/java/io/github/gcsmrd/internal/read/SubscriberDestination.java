// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.Chunk;
import java.util.function.Predicate;

/**
 * A subscriber that gets as many chunks as it asked for and owns them from then on. Confined to the
 * loop but for {@link #run}, which is the executor's.
 *
 * <p>Without demand nothing is asked of the server. The first demand opens the credit: from then on
 * chunks are fetched ahead of it, up to the credit, so that a subscriber that asks for one chunk at
 * a time doesn't wait a round trip for each.
 */
public final class SubscriberDestination extends QueuedDestination {
  private final Predicate<Chunk> subscriber;
  private final boolean views;
  private long demand;
  private boolean subscribed;

  /**
   * Calls a subscriber on an executor.
   *
   * @param subscriber takes a chunk, which is its own then; false if it takes none any more
   * @param views whether large chunks are views of received memory, rather than copies
   * @param settings how it is called
   */
  public SubscriberDestination(Predicate<Chunk> subscriber, boolean views, QueueSettings settings) {
    super(settings);
    this.subscriber = subscriber;
    this.views = views;
  }

  /**
   * Adds to the demand; also before anything else happens.
   *
   * @param chunks how many more, at least 1; a sum over the range of a long is as good as unlimited
   */
  public void request(long chunks) {
    subscribed = true;
    demand = demand + chunks < 0 ? Long.MAX_VALUE : demand + chunks;
    demanded();
  }

  /** None before there was demand. */
  @Override
  public boolean hasDemand() {
    return subscribed && super.hasDemand();
  }

  /**
   * Copies are made as the bytes arrive, while they are in the processor's cache: a subscriber
   * without demand must not hold messages that its neighbours on the stream need.
   */
  @Override
  boolean mayHoldMessages() {
    return views;
  }

  @Override
  int batchLimit() {
    return (int) Math.min(demand, Integer.MAX_VALUE);
  }

  @Override
  void handedOver(int chunks) {
    if (demand != Long.MAX_VALUE) {
      demand -= chunks;
    }
  }

  @Override
  void run(ChunkHandle[] batch) {
    for (ChunkHandle chunk : batch) {
      if (isAbandoned() || !subscriber.test(chunk)) {
        chunk.close();
      }
    }
    ended(batch, null);
  }
}
