// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Stream;

/**
 * Flushes a connection after each stream that closes. Confined to the connection's loop.
 *
 * <p>A call that waited for room under the server's limit of streams has its headers written when
 * another one closes, in the middle of a flush that no longer covers them. On a quiet connection it
 * would go on waiting though there is room.
 */
final class FlushAfterStreams extends Http2ConnectionAdapter {
  private final Channel channel;

  FlushAfterStreams(Channel channel) {
    this.channel = channel;
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    channel.eventLoop().execute(channel::flush);
  }
}
