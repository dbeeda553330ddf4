// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the connection that carries a call, so that no call waits behind the server's limit of
 * concurrent streams. Confined to the loop of the connections; knows nothing of gRPC.
 *
 * <p>The connections that a client was set up with share the calls, the least loaded first. Extra
 * ones, opened because those were full, are filled in the order of their opening, so that the later
 * ones run empty and can be let go.
 */
final class ConnectionChoice {
  /** What servers of this kind allow, and what HTTP/2 asks of them as the least. */
  static final int ASSUMED_LIMIT = 100;

  /** A connection, as far as the choice looks at it. */
  interface Candidate {
    /** Whether it was opened only because the others were full. */
    boolean isExtra();

    /** The calls that were put on it and have not ended, those included that wait on it. */
    int calls();

    /**
     * The streams that count against the limit at this moment, as HTTP/2 sees it. One that has
     * ended here is counted a little longer, which is no reason to take another connection.
     */
    int activeStreams();

    /** The server's limit; empty if it is not connected or the server told none. */
    OptionalInt toldLimit();
  }

  /** What is expected of a connection that isn't up yet: that its server is like the others. */
  private int expectedLimit = ASSUMED_LIMIT;

  /**
   * Chooses.
   *
   * @param connections those there are, extra ones last
   * @param avoided one that is known to have no room, or null
   * @return null if a further connection is needed
   */
  <C extends Candidate> @Nullable C choose(List<C> connections, @Nullable C avoided) {
    for (C connection : connections) {
      expectedLimit = connection.toldLimit().orElse(expectedLimit);
    }
    @Nullable C best = null;
    for (C connection : connections) {
      if (connection != avoided && hasRoom(connection) && isBetter(connection, best)) {
        best = connection;
      }
    }
    return best;
  }

  private boolean hasRoom(Candidate connection) {
    // A server that allows no stream at all may think better of it: one call goes and waits.
    int limit = Math.max(1, connection.toldLimit().orElse(expectedLimit));
    return connection.calls() < limit;
  }

  private static boolean isBetter(Candidate connection, @Nullable Candidate best) {
    return best == null || (!connection.isExtra() && connection.calls() < best.calls());
  }

  /** How many of its calls a connection can't carry at this moment: they wait. */
  static int excess(Candidate connection) {
    OptionalInt limit = connection.toldLimit();
    return limit.isEmpty() ? 0 : Math.max(0, connection.calls() - limit.getAsInt());
  }

  /** Whether a call that was not sent yet waits for another one to end. */
  static boolean isFull(Candidate connection) {
    OptionalInt limit = connection.toldLimit();
    return limit.isPresent() && connection.activeStreams() >= limit.getAsInt();
  }
}
