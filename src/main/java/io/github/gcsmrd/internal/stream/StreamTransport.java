// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.Map;
import java.util.Optional;

/** Opens calls on the connection of a loop. Thread-safe. */
public interface StreamTransport {

  /** The loop on which the calls of this transport run. */
  Loop loop();

  /**
   * Starts a call. On the loop only; the listener is never called before this returns.
   *
   * @param request what the call's headers depend on
   * @param listener told on the loop
   * @return the call
   */
  StreamCall open(OpenRequest request, StreamListener listener);

  /**
   * What the headers of an open depend on.
   *
   * @param bucket the bucket's name, without {@code projects/_/buckets/}
   * @param routingToken the token of the last redirect, sent verbatim
   * @param idempotencyToken the same over the attempts of one open
   * @param attempt 1 for the first attempt of an open
   * @param headers the session's own headers, by lower-case name
   */
  record OpenRequest(
      String bucket,
      Optional<String> routingToken,
      String idempotencyToken,
      int attempt,
      Map<String, String> headers) {}
}
