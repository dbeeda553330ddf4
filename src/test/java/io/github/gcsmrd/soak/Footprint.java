// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.soak;

import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the process has at a moment of rest. Immutable.
 *
 * @param heapBytes what a collection leaves on the heap
 * @param directBytes reserved outside of it: Netty's pools and direct buffers
 * @param threads alive, those of the client that wait to be used again not counted
 * @param sockets open; 0 where the system doesn't tell
 */
record Footprint(long heapBytes, long directBytes, int threads, int sockets) {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  static Footprint now() {
    System.gc();
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Footprint(heap, countDirectBytes(), countThreads(), countSockets());
  }

  private static long countDirectBytes() {
    long direct = Math.max(0, PlatformDependent.usedDirectMemory());
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      direct += pool.getMemoryUsed();
    }
    return direct;
  }

  private static int countThreads() {
    int threads = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      threads += thread.getName().startsWith("gcs-mrd-worker-") ? 0 : 1;
    }
    return threads;
  }

  private static int countSockets() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0;
    }
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      return (int) descriptors.filter(Footprint::isSocket).count();
    } catch (IOException e) {
      return 0;
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Override
  public String toString() {
    return String.format(
        "heap %.1f MiB, direct %.1f MiB, %d threads, %d sockets",
        heapBytes / 1048576.0, directBytes / 1048576.0, threads, sockets);
  }
}
