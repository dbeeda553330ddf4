// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.internal.read.AllocatedDestination;
import io.github.gcsmrd.internal.read.AsyncSinkDestination;
import io.github.gcsmrd.internal.read.BufferDestination;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.LoopSinkDestination;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.SubscriberDestination;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A range of the model: what it must bring by the object's bytes, what was done to it, and what may
 * therefore come of it. Not thread-safe.
 */
final class ModelRange {
  /** What a sink of the model throws. */
  static final class SinkFault extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A chunk that an asynchronous sink is not done with. */
  private record Unfinished(Chunk chunk, CompletableFuture<String> stage) {}

  private final ByteRange range;
  private final TestObject object;
  private final Random random;
  private final TestRead read;
  private final List<Chunk> kept = new ArrayList<>();
  private final List<Unfinished> unfinished = new ArrayList<>();
  private final FakeLoop loop;
  private final QueueSettings queue;
  private final boolean sink;
  private final boolean throwing;
  private final boolean checking;
  private ByteBuffer buffer;
  private int allocations;
  private int releases;
  private long sunk;
  private long demanded;

  /** What the server did to it. */
  boolean endedEarly;

  /** Whether it was called out of range before the client could know better. */
  boolean endedBlind;

  boolean unchecked;
  boolean refused;
  boolean cancelled;
  int faults;

  /**
   * A range by chance.
   *
   * @param loop where user code comes back to
   * @param slow how user code is called that takes its time
   */
  ModelRange(TestObject object, FakeLoop loop, QueueSettings slow, Random random) {
    this.object = object;
    this.random = random;
    this.range = randomRange(object.size(), random);
    this.throwing = random.nextInt(20) == 0;
    int kind = random.nextInt(7);
    this.sink = kind >= 3;
    this.queue = kind >= 4 ? slow : null;
    this.loop = loop;
    Destination destination =
        switch (kind) {
          case 0 -> new GrowingDestination(random.nextInt(100));
          case 1 -> new BufferDestination(newBuffer(object.size()));
          case 2 -> new AllocatedDestination(this::newBuffer, released -> releases++);
          case 3 -> new LoopSinkDestination(this::take);
          case 4 -> new ExecutorSinkDestination(this::take, queue);
          case 5 -> new AsyncSinkDestination(this::takeLater, queue);
          default -> new SubscriberDestination(this::own, random.nextBoolean(), queue);
        };
    this.checking = random.nextInt(10) != 0;
    this.read = new TestRead(range, destination, checking);
  }

  private static ByteRange randomRange(int size, Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> ByteRange.all();
      case 1 -> ByteRange.last(random.nextInt(size + 10));
      case 2 -> ByteRange.from(random.nextInt(size + 1));
      case 3 -> ByteRange.of(random.nextInt(size + 1), 0);
      case 4 -> ByteRange.of(random.nextInt(size + 1), random.nextInt(2 * size + 1));
      case 5 -> random.nextInt(10) == 0 ? ByteRange.from(size + 1L) : ByteRange.of(0, 1);
      default -> ByteRange.of(random.nextInt(size + 1), random.nextInt(40));
    };
  }

  private ByteBuffer newBuffer(int size) {
    allocations++;
    buffer = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
    return buffer;
  }

  /** The sink: each byte once, in order, and right. */
  private void take(Chunk chunk) {
    if (throwing && random.nextBoolean()) {
      throw new SinkFault();
    }
    assertEquals(start() + sunk, chunk.offset(), () -> "order of " + read);
    assertRight(chunk);
    sunk += chunk.length();
    if (random.nextInt(4) == 0) {
      kept.add(chunk.retain());
    }
  }

  private void assertRight(Chunk chunk) {
    byte[] bytes = new byte[chunk.length()];
    chunk.copyTo(bytes, 0);
    assertArrayEquals(
        object.bytes(chunk.offset(), chunk.offset() + chunk.length()), bytes, read::toString);
  }

  /** The sink that is done with a chunk now or, more often, at some other time. */
  private CompletionStage<String> takeLater(Chunk chunk) {
    take(chunk);
    if (random.nextInt(4) == 0) {
      return CompletableFuture.completedFuture("at once");
    }
    Unfinished later = new Unfinished(chunk, new CompletableFuture<>());
    unfinished.add(later);
    assertEquals(1, unfinished.size(), () -> "chunks at a time of " + read);
    return later.stage();
  }

  /** The subscriber, who closes a chunk now or much later. */
  private boolean own(Chunk chunk) {
    assertTrue(demanded > 0, () -> "more chunks than asked for of " + read);
    demanded -= demanded == Long.MAX_VALUE ? 0 : 1;
    assertEquals(start() + sunk, chunk.offset(), () -> "order of " + read);
    assertRight(chunk);
    sunk += chunk.length();
    if (random.nextInt(4) == 0) {
      kept.add(chunk);
    } else {
      chunk.close();
    }
    return true;
  }

  /** User code goes on: a stage completes, or so many more chunks are asked for. */
  void goOn(long chunks) {
    finishChunk();
    if (read.read().destination() instanceof SubscriberDestination subscriber) {
      demanded = demanded + chunks < 0 ? Long.MAX_VALUE : demanded + chunks;
      loop.execute(() -> subscriber.request(chunks));
    }
  }

  private void finishChunk() {
    if (!unfinished.isEmpty()) {
      Unfinished later = unfinished.remove(0);
      assertRight(later.chunk());
      if (throwing && random.nextBoolean()) {
        later.stage().completeExceptionally(new SinkFault());
      } else {
        later.stage().complete("later");
      }
    }
  }

  /** User code takes all it can get from now on; returns whether that was news. */
  boolean takeAll() {
    boolean lacks =
        read.read().destination() instanceof SubscriberDestination && demanded < Long.MAX_VALUE;
    if (!lacks && unfinished.isEmpty()) {
      return false;
    }
    goOn(Long.MAX_VALUE);
    return true;
  }

  /** Whether checksums are on. */
  boolean isChecking() {
    return checking;
  }

  ByteRange range() {
    return range;
  }

  long start() {
    if (range instanceof ByteRange.Bounded bounded) {
      return bounded.offset();
    }
    if (range instanceof ByteRange.From from) {
      return from.offset();
    }
    return range instanceof ByteRange.Last last ? Math.max(0, object.size() - last.length()) : 0;
  }

  private byte[] expected() {
    return range instanceof ByteRange.Bounded bounded
        ? object.bytes(bounded.offset(), bounded.offset() + bounded.length())
        : object.bytes(start(), object.size());
  }

  TestRead read() {
    return read;
  }

  /** A request for it must ask for exactly what is missing, or a first part of that. */
  void checkRequest(ReadRange request) {
    long delivered = read.read().position().deliveredBytes();
    assertTrue(!read.isEnded(), () -> "asked for after its end: " + read);
    if (sink && !throwing) {
      assertTrue(delivered >= sunk, () -> "asks for what was delivered: " + read);
    }
    if (range instanceof ByteRange.Last last && request.getReadOffset() < 0) {
      assertEquals(0, delivered);
      boolean bounded = queue != null && queue.mostBytes() != QueueSettings.UNLIMITED;
      boolean probe = bounded && queue.mostBytes() < last.length();
      // The smallest share of a scarce credit is less than that.
      boolean mayProbe = queue != null && last.length() > 64 << 10;
      if (probe || !mayProbe || request.getReadOffset() != -1) {
        assertEquals(probe ? -1 : -last.length(), request.getReadOffset());
      }
      assertEquals(0, request.getReadLength());
      return;
    }
    assertEquals(start() + delivered, request.getReadOffset(), read::toString);
    if (queue != null && queue.mostBytes() != QueueSettings.UNLIMITED) {
      long length = request.getReadLength();
      assertTrue(
          length > 0 && length <= queue.mostBytes(), () -> "length " + length + " for " + read);
    }
    if (range instanceof ByteRange.Bounded bounded) {
      long left = bounded.length() - delivered;
      assertTrue(
          request.getReadLength() > 0 && request.getReadLength() <= left,
          () -> "length " + request.getReadLength() + " for " + read);
    }
  }

  /** Lets go of what its sink kept, after a last look at it. */
  void closeKept() {
    for (Chunk chunk : kept) {
      assertRight(chunk);
      chunk.close();
    }
  }

  /** Whether its destination needs a length that nobody can tell without the object's size. */
  private boolean needsSize() {
    return isAllocated() && (range instanceof ByteRange.From || range instanceof ByteRange.All);
  }

  /**
   * The end: right bytes, or a failure that something accounts for.
   *
   * @param excuse whether something accounts for the failure of any range
   * @param sizeKnown whether the client knew the object's size from the beginning
   */
  void check(boolean excuse, boolean sizeKnown) {
    read.assertOnce();
    assertEquals(isAllocated() && !read.succeeded() ? allocations : 0, releases, read::toString);
    if (!read.succeeded()) {
      boolean hopeless = start() > object.size() || (needsSize() && !sizeKnown);
      assertTrue(
          excuse || cancelled || refused || throwing || hopeless || faults > 3,
          () -> "failed without a reason: " + read + " faults " + faults);
      return;
    }
    byte[] expected = expected();
    long length = read.result().length();
    assertTrue(length <= expected.length, () -> "too long: " + read);
    if (!endedEarly || (object.isFinal() && sizeKnown && !endedBlind)) {
      assertEquals(expected.length, length, () -> "too short: " + read);
    }
    if (length > 0 && !unchecked) {
      assertEquals(checking, read.result().verified(), read::toString);
    }
    if (sink) {
      assertEquals(length, sunk);
    } else {
      byte[] bytes = new byte[(int) length];
      read.result().buffer().ifPresent(result -> result.get(0, bytes));
      assertArrayEquals(object.bytes(start(), start() + length), bytes, read::toString);
    }
  }

  private boolean isAllocated() {
    return read.read().destination() instanceof AllocatedDestination;
  }
}
