// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Stream;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What HTTP/2 knows of a connection's room for streams, and gRPC tells nobody. Confined to the
 * connection's loop.
 *
 * <p>A channel has one socket after another; what counts is the one that takes new streams.
 */
final class StreamRoom {
  private final Runnable onFull;
  private @Nullable Channel socket;
  private @Nullable Http2Connection http2;

  /**
   * Room that is not known yet.
   *
   * @param onFull run in a task of its own whenever a stream takes the last room of a socket, also
   *     of a former one
   */
  StreamRoom(Runnable onFull) {
    this.onFull = onFull;
  }

  /** A new socket speaks HTTP/2. */
  void connected(Channel newSocket, Http2Connection newHttp2) {
    socket = newSocket;
    http2 = newHttp2;
    newHttp2.addListener(new FlushAfterStreams(newSocket));
    newHttp2.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamActive(Http2Stream stream) {
            if (!newHttp2.local().canOpenStream()) {
              newSocket.eventLoop().execute(onFull);
            }
          }
        });
  }

  /** No new stream goes to the socket. */
  void forget() {
    socket = null;
    http2 = null;
  }

  /** The server's limit of concurrent streams; empty if there is no connection or it told none. */
  OptionalInt toldLimit() {
    Http2Connection usable = usable();
    int limit = usable == null ? Integer.MAX_VALUE : usable.local().maxActiveStreams();
    return limit == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(limit);
  }

  /** The streams that count against it. */
  int activeStreams() {
    Http2Connection usable = usable();
    return usable == null ? 0 : usable.local().numActiveStreams();
  }

  /** The connection that new streams go to, if it is up. */
  private @Nullable Http2Connection usable() {
    Http2Connection newest = http2;
    return socket == null || !socket.isActive() || newest == null || newest.goAwayReceived()
        ? null
        : newest;
  }
}
