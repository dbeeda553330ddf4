// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;

/**
 * Notes in a socket's pipeline when something was received last, by whatever call. Confined to the
 * socket's loop.
 */
final class SocketPulse extends ChannelInboundHandlerAdapter {
  private final Loop loop;
  private final Consumer<SocketPulse> born;
  private boolean heard;

  /** When something was received last; until then, when the socket came to be. */
  private long lastNanos;

  /**
   * A pulse for one socket.
   *
   * @param born told on the loop when the socket is about to connect
   */
  SocketPulse(Loop loop, Consumer<SocketPulse> born) {
    this.loop = loop;
    this.born = born;
  }

  /**
   * Whether nothing was received while a call was silent. A socket that came to be meanwhile, for
   * that very call, must have had half of the time to say something.
   */
  boolean isSilentFor(long nanos) {
    return loop.now() - lastNanos >= (heard ? nanos : nanos / 2);
  }

  @Override
  public void channelRegistered(ChannelHandlerContext context) {
    lastNanos = loop.now();
    born.accept(this);
    context.fireChannelRegistered();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object received) {
    heard = true;
    lastNanos = loop.now();
    context.fireChannelRead(received);
  }
}
