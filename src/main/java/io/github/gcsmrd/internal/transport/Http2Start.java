// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.io.IOException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits in a socket's pipeline until it speaks HTTP/2, tells that, and leaves. Confined to the
 * socket's loop.
 *
 * <p>gRPC hands nobody its HTTP/2 connection; it sends no stream before the server's settings came,
 * so that whoever is told here misses none.
 *
 * <p>gRPC doesn't tell either whether a lost connection ever spoke: what it is given here as the
 * reason does, see {@link Unheard}.
 */
final class Http2Start extends ChannelInboundHandlerAdapter {
  /** The server ended a connection without TLS before a byte of it came. Immutable. */
  static final class Unheard extends IOException {
    private static final long serialVersionUID = 1L;

    Unheard(@Nullable Throwable cause) {
      super("the connection was closed before the server sent anything", cause);
    }
  }

  private final boolean plaintext;
  private final BiConsumer<Channel, Http2Connection> told;
  private boolean heard;

  /** One for a socket without TLS, or with it. */
  Http2Start(boolean plaintext, BiConsumer<Channel, Http2Connection> told) {
    this.plaintext = plaintext;
    this.told = told;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    heard = true;
    context.fireChannelRead(bytes);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (heard && http2 != null) { // An end without a byte completes a read too.
      told.accept(context.channel(), http2.connection());
      context.pipeline().remove(this);
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    context.fireExceptionCaught(
        isUnheard() && failure instanceof IOException ? new Unheard(failure) : failure);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (isUnheard()) {
      // Ignored if it was this side that closed: gRPC knows its reason by then.
      context.fireExceptionCaught(new Unheard(null));
    }
    context.fireChannelInactive();
  }

  private boolean isUnheard() {
    return plaintext && !heard;
  }
}
