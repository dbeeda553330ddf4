// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.wire.Response;

/**
 * What a call tells its stream. Confined to the stream's loop: the transport hops where gRPC calls
 * back from elsewhere.
 */
public interface StreamListener {

  /** The transport takes requests without queueing, now or again. */
  void onReady();

  /**
   * A response came; the listener owns it and closes it exactly once.
   *
   * @param response a parsed message, or what is wrong with it
   */
  void onResponse(Response response);

  /** Bytes of a response came, though perhaps no whole message: a sign of life. */
  void onBytes();

  /** The call ended; nothing follows. */
  void onEnd(StreamEnd end);
}
