// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What one run cost. Immutable.
 *
 * @param bytes delivered
 * @param nanos how long it took
 * @param loopNanos processor time of the threads that receive
 * @param processNanos processor time of everything in this process
 * @param peakBytes the most memory that was seen to be held
 */
record Measurement(long bytes, long nanos, long loopNanos, long processNanos, long peakBytes) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Runs and measures. */
  static Measurement of(Workload workload, Competitor competitor, int seconds) throws Exception {
    Sampler sampler = new Sampler(competitor);
    sampler.start();
    long loop = loopNanos(competitor.loopThreads());
    long process = PROCESS.getProcessCpuTime();
    long start = System.nanoTime();
    long bytes = workload.run(competitor, seconds, TimeUnit.SECONDS);
    long nanos = System.nanoTime() - start;
    process = PROCESS.getProcessCpuTime() - process;
    loop = loopNanos(competitor.loopThreads()) - loop;
    return new Measurement(bytes, nanos, loop, process, sampler.end());
  }

  /** Over all threads of the name: those of competitors that rest use no time. */
  private static long loopNanos(String prefix) {
    long nanos = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(prefix)) {
        nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos;
  }

  double gigabytes() {
    return bytes / 1e9;
  }

  double gigabytesPerSecond() {
    return (double) bytes / nanos;
  }

  double loopMillisPerGigabyte() {
    return loopNanos / 1e6 / gigabytes();
  }

  double processMillisPerGigabyte() {
    return processNanos / 1e6 / gigabytes();
  }

  double peakMebibytes() {
    return peakBytes / (double) (1 << 20);
  }

  /** Looks at the held memory now and then. */
  private static final class Sampler extends Thread {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Competitor competitor;
    private volatile boolean ended;
    private long peakBytes;

    Sampler(Competitor competitor) {
      super("sampler");
      this.competitor = competitor;
      setDaemon(true);
    }

    @Override
    public void run() {
      while (!ended) {
        peakBytes = Math.max(peakBytes, competitor.heldBytes());
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    }

    long end() throws InterruptedException {
      ended = true;
      join();
      return peakBytes;
    }
  }
}
