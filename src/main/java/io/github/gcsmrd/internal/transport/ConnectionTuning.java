// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2LocalFlowController;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Stream;
import java.lang.System.Logger.Level;

/**
 * Sets what gRPC has no setting for, once a connection speaks HTTP/2, and then leaves its pipeline.
 * Confined to the connection's loop.
 *
 * <ul>
 *   <li>The connection's window. gRPC makes it as large as one stream's, so that a single stream
 *       that asks for no messages would stop all others on the connection.
 *   <li>A flush after each stream that closes. A call that waited for room under the server's limit
 *       of streams has its headers written then, in the middle of a flush that no longer covers
 *       them: on a quiet connection it would go on waiting though there is room.
 * </ul>
 */
final class ConnectionTuning extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger(ConnectionTuning.class.getName());

  private final int windowBytes;

  ConnectionTuning(int windowBytes) {
    this.windowBytes = windowBytes;
  }

  /** The first bytes that HTTP/2 has taken in: its own preface was sent before. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      widen(http2.connection());
      flushAfterStreams(http2.connection(), context.channel());
      context.pipeline().remove(this);
    }
    context.fireChannelReadComplete();
    if (http2 != null) {
      context.channel().flush();
    }
  }

  private void widen(Http2Connection connection) {
    Http2LocalFlowController flow = connection.local().flowController();
    Http2Stream whole = connection.connectionStream();
    int more = windowBytes - flow.initialWindowSize(whole);
    if (more <= 0) {
      return;
    }
    try {
      flow.incrementWindowSize(whole, more);
    } catch (Http2Exception refused) {
      LOG.log(Level.WARNING, "the connection keeps a window as small as a stream's", refused);
    }
  }

  private static void flushAfterStreams(Http2Connection connection, Channel channel) {
    connection.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            channel.eventLoop().execute(channel::flush);
          }
        });
  }
}
