// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Stream;

/**
 * Flushes a connection after each stream that closes. Confined to the connection's loop; it waits
 * in the pipeline until the connection speaks HTTP/2, and leaves it then.
 *
 * <p>A call that waited for room under the server's limit of streams has its headers written when
 * another one closes, in the middle of a flush that no longer covers them. On a quiet connection it
 * would go on waiting though there is room.
 */
final class FlushAfterStreams extends ChannelInboundHandlerAdapter {

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      Channel channel = context.channel();
      http2
          .connection()
          .addListener(
              new Http2ConnectionAdapter() {
                @Override
                public void onStreamClosed(Http2Stream stream) {
                  channel.eventLoop().execute(channel::flush);
                }
              });
      context.pipeline().remove(this);
    }
    context.fireChannelReadComplete();
  }
}
