// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Error;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Settings;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A connection that the server accepted, below gRPC. Thread-safe: what touches the HTTP/2 state
 * hops onto the connection's event loop.
 */
final class Connection {
  /** Streams may go on for as long as they like after a GOAWAY. */
  private static final long NO_TIMEOUT = -1;

  private final int ordinal;
  private final Channel channel;

  /** Confined to the event loop. */
  private int lastClaimed;

  Connection(int ordinal, Channel channel) {
    this.ordinal = ordinal;
    this.channel = channel;
  }

  int ordinal() {
    return ordinal;
  }

  boolean inEventLoop() {
    return channel.isRegistered() && channel.eventLoop().inEventLoop();
  }

  /** Returns the id of the stream created last if it wasn't returned before, else 0. */
  int claimNewStream() {
    assert inEventLoop();
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    int newest = http2 == null ? 0 : http2.connection().remote().lastStreamCreated();
    if (newest <= lastClaimed) {
      return 0;
    }
    lastClaimed = newest;
    return newest;
  }

  /**
   * Sends RST_STREAM. gRPC doesn't notice a reset from below and would keep the requests that it
   * has not handed out for ever; so it is told first, as if the client had reset the stream.
   */
  void reset(int streamId, int errorCode) {
    onHttp2(
        (http2, context) -> {
          http2.decoder().frameListener().onRstStreamRead(context, streamId, errorCode);
          Future<?> unused = http2.resetStream(context, streamId, errorCode, context.newPromise());
          context.flush();
        });
  }

  /**
   * Sends GOAWAY that refuses streams not created yet; once the last stream has ended, the
   * connection is closed.
   *
   * @param sent is run once it is on its way: what is sent from then on comes after it
   */
  void goAway(Runnable sent) {
    onHttp2(
        (http2, context) -> {
          Future<?> unused =
              http2.goAway(
                  context,
                  http2.connection().remote().lastStreamCreated(),
                  Http2Error.NO_ERROR.code(),
                  Unpooled.EMPTY_BUFFER,
                  context.newPromise());
          context.flush();
          sent.run();
          http2.gracefulShutdownTimeoutMillis(NO_TIMEOUT);
          http2.close(context, context.newPromise());
        });
  }

  /** Tells the client how many streams it may have; what is sent from now on comes after it. */
  void limitStreams(int streams) {
    onHttp2(
        (http2, context) -> {
          Future<?> unused =
              http2
                  .encoder()
                  .writeSettings(
                      context,
                      new Http2Settings().maxConcurrentStreams(streams),
                      context.newPromise());
          context.flush();
        });
  }

  /** Closes the socket so that the client gets a TCP reset, past all orderly HTTP/2 farewell. */
  void drop() {
    onLoop(
        () -> {
          // Netty sets no option of a socket that has gone meanwhile.
          if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.voidPromise());
          }
        });
  }

  /** Runs a task after a delay; tasks of equal delay keep their order. */
  void schedule(Runnable task, Duration delay) {
    Future<?> unused = channel.eventLoop().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void onHttp2(Http2Task task) {
    onLoop(
        () -> {
          ChannelHandlerContext context = channel.pipeline().context(Http2ConnectionHandler.class);
          if (context != null) {
            run(task, (Http2ConnectionHandler) context.handler(), context);
          }
        });
  }

  /**
   * Runs a task on the event loop, unless the connection has gone, or was accepted this moment and
   * is on no loop yet: it counts as one that came after whatever happens to all of them.
   */
  private void onLoop(Runnable task) {
    if (channel.isRegistered()) {
      channel.eventLoop().execute(task);
    }
  }

  private static void run(
      Http2Task task, Http2ConnectionHandler http2, ChannelHandlerContext context) {
    try {
      task.run(http2, context);
    } catch (Exception e) {
      http2.onError(context, true, e);
    }
  }

  /** Something to do with the HTTP/2 layer. */
  @FunctionalInterface
  private interface Http2Task {
    void run(Http2ConnectionHandler http2, ChannelHandlerContext context) throws Exception;
  }
}
