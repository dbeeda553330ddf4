// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.leaks;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The buffers that were collected as garbage without having been released, as Netty's detector
 * reports them. Thread-safe.
 *
 * <p>The detector logs through java.util.logging when no other logging is on the class path. What
 * it logs is kept here, and printed only if nobody expects it.
 */
public final class LeakLog {
  private static final long COLLECTION_WAIT_MILLIS = 10_000;

  /** A strong reference: the log manager keeps none. */
  private static final Logger LOGGER = Logger.getLogger(ResourceLeakDetector.class.getName());

  private static final List<String> REPORTS = new ArrayList<>();
  private static boolean silent;

  static {
    LOGGER.setFilter(LeakLog::keep);
  }

  private LeakLog() {}

  /** Starts to keep what the detector reports. Doing it again does nothing. */
  public static void install() {
    // The class is initialized by now, and that is all.
  }

  private static boolean keep(LogRecord entry) {
    if (!String.valueOf(entry.getMessage()).contains("LEAK:")) {
      return true;
    }
    synchronized (REPORTS) {
      REPORTS.add(entry.getMessage());
      return !silent;
    }
  }

  /**
   * Takes what was reported by now.
   *
   * @return the reports, oldest first; they are forgotten
   */
  public static List<String> take() {
    synchronized (REPORTS) {
      List<String> taken = List.copyOf(REPORTS);
      REPORTS.clear();
      return taken;
    }
  }

  /**
   * Has the garbage collected and the detector look at it.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  public static void collect() throws InterruptedException {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    WeakReference<Object> canary = new WeakReference<>(new Object(), queue);
    System.gc();
    if (queue.remove(COLLECTION_WAIT_MILLIS) != canary) {
      throw new AssertionError("the garbage was not collected; is explicit GC disabled?");
    }
    // The detector looks at what was collected when it is asked to track another buffer.
    ByteBuf probe = PooledByteBufAllocator.DEFAULT.directBuffer(1);
    probe.release();
  }

  /**
   * Runs something that leaks on purpose and takes what is reported of it, without printing it.
   *
   * @param leak makes garbage of a buffer that was not released
   * @return the reports
   * @throws InterruptedException if the thread was interrupted
   */
  static List<String> reportsOf(Runnable leak) throws InterruptedException {
    synchronized (REPORTS) {
      silent = true;
    }
    try {
      leak.run();
      collect();
      return take();
    } finally {
      synchronized (REPORTS) {
        silent = false;
      }
    }
  }
}
