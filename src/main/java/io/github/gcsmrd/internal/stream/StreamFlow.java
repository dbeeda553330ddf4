// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/**
 * How many messages a stream is asked for. Confined to the loop.
 *
 * <p>Invariant: messages asked for and not come, plus messages held, are at most {@link
 * #MAX_MESSAGES}; a few are always asked for ahead, so that the transport need not wait for each.
 * None is asked for beyond what keeps the fullest call within as many chunks, if each message
 * brings one; of a message that brings more, they stay inside it.
 */
final class StreamFlow {
  /** The bound of what can pile up: 64 MiB with chunks of 2 MiB. */
  static final int MAX_MESSAGES = 32;

  /** What slow destinations may hold of it: they alone never stop the stream. */
  static final int MAX_HELD_BY_DESTINATIONS = MAX_MESSAGES / 2;

  /**
   * Asked for ahead: the flow-control window holds no more than this many large messages anyway.
   */
  static final int AHEAD = 8;

  private final StreamCall call;
  private final int maxByOneCall;
  private int asked;
  private int held;
  private int heldByOneCall;

  /**
   * Nothing was asked for.
   *
   * @param maxByOneCall how many chunks one call may hold here
   */
  StreamFlow(StreamCall call, int maxByOneCall) {
    this.call = call;
    this.maxByOneCall = maxByOneCall;
  }

  /** A message came. */
  void received() {
    asked--;
  }

  /**
   * Counts what is kept; asks for more when that allows it.
   *
   * @param messages how many more are kept (fewer if negative)
   * @param byOneCall how many chunks the call holds that holds most
   */
  void held(int messages, int byOneCall) {
    boolean fewer = messages < 0 || byOneCall < heldByOneCall;
    held += messages;
    heldByOneCall = byOneCall;
    if (fewer) {
      replenish();
    }
  }

  /** Asks for messages up to the bounds. */
  void replenish() {
    int room = Math.min(MAX_MESSAGES - held, maxByOneCall - heldByOneCall);
    int more = Math.min(AHEAD, room) - asked;
    if (more > 0) {
      asked += more;
      call.request(more);
    }
  }

  /** Whether the stream can bring a message: silence is the server's only then. */
  boolean hasDemand() {
    return asked > 0;
  }
}
