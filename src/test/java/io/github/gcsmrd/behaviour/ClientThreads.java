// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The threads of the library, by the beginning of their names. Stateless and thread-safe. */
final class ClientThreads {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ClientThreads() {}

  /** Those alive whose names begin so. */
  static Set<Thread> named(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .collect(Collectors.toSet());
  }

  /** The processor time of each so far, by thread id. */
  static Map<Long, Long> cpuNanos() {
    Map<Long, Long> nanos = new HashMap<>();
    for (Thread thread : named("gcs-mrd-")) {
      nanos.put(thread.getId(), Math.max(0, THREADS.getThreadCpuTime(thread.getId())));
    }
    return nanos;
  }

  /** The processor time of all of them since then; that of threads that ended is not counted. */
  static long cpuNanosSince(Map<Long, Long> before) {
    long sum = 0;
    for (Map.Entry<Long, Long> now : cpuNanos().entrySet()) {
      sum += Math.max(0, now.getValue() - before.getOrDefault(now.getKey(), 0L));
    }
    return sum;
  }
}
