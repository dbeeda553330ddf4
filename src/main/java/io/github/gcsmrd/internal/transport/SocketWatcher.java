// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;

/** Told of the sockets of a channel, one after the other. Called on their loop. */
interface SocketWatcher {
  /** A new socket is about to connect. */
  void born(SocketPulse pulse);

  /** A socket speaks HTTP/2. */
  void connected(Channel socket, Http2Connection http2);
}
