// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A relay to a server on loopback whose connections can die without a word, as behind a host that
 * vanished or a router that forgot them: they stay open, and swallow every byte. Thread-safe.
 */
final class Relay implements AutoCloseable {
  private final int target;
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger accepted = new AtomicInteger();
  private final Set<Integer> dead = ConcurrentHashMap.newKeySet();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  Relay(int target) throws IOException {
    this.target = target;
    start(this::accept);
  }

  String endpoint() {
    return "http://localhost:" + listening.getLocalPort();
  }

  /** How many connections there were so far. */
  int accepted() {
    return accepted.get();
  }

  /** From now on a connection, which may be yet to come, carries nothing; the first one is 1. */
  void kill(int connection) {
    dead.add(connection);
  }

  private static void start(Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (IOException closed) {
                // By the client, the server or the test.
              }
            },
            "test-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      int number = accepted.incrementAndGet();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(client);
      sockets.add(server);
      start(() -> pump(number, client, server));
      start(() -> pump(number, server, client));
    }
  }

  private void pump(int connection, Socket from, Socket to) throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (to) {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (!dead.contains(connection)) {
          to.getOutputStream().write(buffer, 0, n);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private interface Body {
    void run() throws IOException;
  }
}
