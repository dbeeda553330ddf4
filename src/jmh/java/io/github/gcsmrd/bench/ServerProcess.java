// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The embedded server in a process of its own, so that its processor time is not the client's. Not
 * thread-safe.
 */
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts {@code serve} of the command line with one object, and waits until it is up. */
  static ServerProcess start(long objectBytes) throws IOException {
    int port = freePort();
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                "io.github.gcsmrd.cli.Main",
                "serve",
                "--port",
                Integer.toString(port),
                "--size",
                Long.toString(objectBytes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    // It says where it is once it is there.
    InputStream says = process.getInputStream();
    byte[] first = new byte[256];
    int length = says.read(first);
    if (length <= 0) {
      throw new IOException("the server did not start");
    }
    System.out.println(new String(first, 0, length, StandardCharsets.UTF_8).strip());
    return new ServerProcess(process, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.onExit().get(10, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
