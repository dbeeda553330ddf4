// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Where verified bytes go. Confined to the loop of the range's session. */
public interface Destination {
  /** The credit of a destination that never lacks demand. */
  long UNLIMITED = Long.MAX_VALUE;

  /** What a destination tells the range's session, on the loop. */
  interface Listener {
    /** Bytes handed over earlier were consumed; there may be credit again. */
    void onConsumed();

    /** User code threw. */
    void onFailure(Throwable failure);

    /**
     * User code ended after the loop was shut down: nothing more happens. Told once, instead of the
     * others, on the thread of that code.
     */
    void onLoopGone();

    /**
     * It begins, or ceases, to wait for memory that other destinations of the client hold, while it
     * holds none.
     */
    default void onStarved(boolean waits) {}

    /** Whether a message may be held: if not, bytes that wait are copied out of it. */
    default boolean mayHold() {
      return true;
    }

    /** So many more messages are kept beyond their callback (fewer if negative). */
    void onHeld(int messages);
  }

  /** Sets who is told; once, before anything else. */
  default void attach(Listener listener) {}

  /** Whether its range may move to a stream on another loop, while nothing is asked for. */
  default boolean isMovable() {
    return true;
  }

  /** How many bytes may be asked for now, on top of what was delivered: what credit was taken. */
  default long creditBytes() {
    return UNLIMITED;
  }

  /** Whether its user wants more, and not much of what came still waits. Takes nothing. */
  default boolean hasDemand() {
    return true;
  }

  /**
   * Takes credit to ask for more.
   *
   * @return false if there is none; the listener is told when to try again
   */
  default boolean takeCredit() {
    return true;
  }

  /** What credit was taken is not used for the time being: others may have it. */
  default void returnCredit() {}

  /** Whether it must be told how many bytes come before the first ones are asked for. */
  default boolean needsLength() {
    return false;
  }

  /**
   * Makes room. Runs user code: on the blocking executor or the submitting thread, before anything
   * else happens to it.
   *
   * @param lengthBytes how many bytes there will be at most
   * @throws Exception what the user's allocator threw
   */
  default void prepare(long lengthBytes) throws Exception {}

  /**
   * Takes the next bytes. What it keeps beyond this call it retains or copies.
   *
   * @param position where they are in the range, counted from its first byte
   * @param offset where they are in the object
   * @param content holds the bytes
   * @param from where they start in the content
   * @param length how many they are
   * @param memory the memory that the content lies in
   * @throws Exception what user code threw, or a reason why they don't fit
   */
  void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory)
      throws Exception;

  /** How many of the delivered bytes user code has not finished with. */
  default long waitingBytes() {
    return 0;
  }

  /** Whether everything delivered was consumed, and no user code runs. */
  default boolean isIdle() {
    return true;
  }

  /**
   * The range succeeded; called once idle.
   *
   * @param lengthBytes how many bytes were delivered
   * @return the buffer for the result, if the destination is one
   */
  Optional<ByteBuffer> finish(long lengthBytes);

  /** The range failed or was given up: drop what is kept. User code may still be running. */
  default void abandon() {}

  /** The result of {@link #finish} goes to its user, who owns the buffer from now on. */
  default void claimed() {}

  /** Takes back what was not claimed; runs user code, on the callback executor, once idle. */
  default void released() {}
}
