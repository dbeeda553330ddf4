// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The connections that the server accepted. Thread-safe. */
final class Connections {
  private final CopyOnWriteArrayList<Connection> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();

  /** Takes in a new connection, before anything is read from it. */
  void add(Channel channel) {
    Connection connection = new Connection(accepted.incrementAndGet(), channel);
    open.add(connection);
    Future<?> unused = channel.closeFuture().addListener(closed -> open.remove(connection));
  }

  int acceptedCount() {
    return accepted.get();
  }

  int openCount() {
    return open.size();
  }

  List<Connection> all() {
    return List.copyOf(open);
  }

  /**
   * Returns the HTTP/2 stream whose headers are being handled by the calling event loop. gRPC tells
   * nobody which it is; but it handles the headers on the connection's loop right after the stream
   * came to be, so it's the one newly created stream on this loop that was not returned yet (but
   * for clients that don't speak gRPC).
   */
  @Nullable HttpStream claimNewStream() {
    for (Connection connection : open) {
      if (connection.inEventLoop()) {
        int id = connection.claimNewStream();
        if (id > 0) {
          return new HttpStream(connection, id);
        }
      }
    }
    return null;
  }

  /**
   * A stream of HTTP/2.
   *
   * @param connection its connection
   * @param id its id there
   */
  record HttpStream(Connection connection, int id) {}
}
