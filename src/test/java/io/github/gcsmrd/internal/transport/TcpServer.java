// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A server below HTTP/2 on loopback, with a thread for each connection. Thread-safe. */
final class TcpServer implements AutoCloseable {
  /** SETTINGS with MAX_CONCURRENT_STREAMS = 0. */
  private static final byte[] NO_STREAMS = {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};

  /** What is done with a connection, until it returns. */
  interface Handler {
    void handle(Socket socket) throws Exception;
  }

  final AtomicInteger accepted = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final ServerSocket listening;
  private final Handler handler;

  private TcpServer(Handler handler) {
    this.handler = handler;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** Speaks just enough HTTP/2 to say that it takes no stream. */
  static TcpServer thatAllowsNoStreams() {
    return new TcpServer(
        socket -> {
          socket.getOutputStream().write(NO_STREAMS);
          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
  }

  /** Swallows all that comes on the first connection; lets the others through to a server. */
  static TcpServer shutAtFirst(int port) {
    AtomicInteger connections = new AtomicInteger();
    return new TcpServer(
        socket -> {
          if (connections.incrementAndGet() == 1) {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
          } else {
            pass(socket, port);
          }
        });
  }

  /** Accepts at once but lets bytes through to another server only when opened. */
  static TcpServer door(int port, CountDownLatch opened) {
    return new TcpServer(
        socket -> {
          opened.await();
          pass(socket, port);
        });
  }

  private static void pass(Socket socket, int port) throws IOException {
    try (Socket target = new Socket(InetAddress.getLoopbackAddress(), port)) {
      start(() -> pump(target, socket));
      socket.getInputStream().transferTo(target.getOutputStream());
    }
  }

  int port() {
    return listening.getLocalPort();
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body, "test-tcp");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        accepted.incrementAndGet();
        open.incrementAndGet();
        sockets.add(socket);
        start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      handler.handle(socket);
    } catch (Exception broken) {
      // The client went, or the test closed this.
    } finally {
      open.decrementAndGet();
    }
  }

  private static void pump(Socket from, Socket to) {
    try (InputStream in = from.getInputStream()) {
      in.transferTo(to.getOutputStream());
    } catch (IOException broken) {
      // As above.
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
