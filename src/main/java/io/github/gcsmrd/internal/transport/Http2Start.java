// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.util.function.BiConsumer;

/**
 * Waits in a socket's pipeline until it speaks HTTP/2, tells that, and leaves. Confined to the
 * socket's loop.
 *
 * <p>gRPC hands nobody its HTTP/2 connection; it sends no stream before the server's settings came,
 * so that whoever is told here misses none.
 */
final class Http2Start extends ChannelInboundHandlerAdapter {
  private final BiConsumer<Channel, Http2Connection> told;

  Http2Start(BiConsumer<Channel, Http2Connection> told) {
    this.told = told;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      told.accept(context.channel(), http2.connection());
      context.pipeline().remove(this);
    }
    context.fireChannelReadComplete();
  }
}
