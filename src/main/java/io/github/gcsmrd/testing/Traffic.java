// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * All that the server received, and the place to wait for more. Thread-safe: its monitor guards
 * itself and its {@link StreamLog}s, and is notified of each change.
 */
final class Traffic {
  private final List<StreamLog> streams = new ArrayList<>();
  private int ranges;

  synchronized StreamLog stream(
      int connection, String authority, Map<String, List<String>> headers) {
    StreamLog log = new StreamLog(this, streams.size() + 1, connection, authority, headers);
    streams.add(log);
    changed();
    return log;
  }

  /** Counts ranges and returns the ordinal of the first of them. */
  synchronized int rangesReceived(int count) {
    int first = ranges + 1;
    ranges += count;
    changed();
    return first;
  }

  synchronized void changed() {
    notifyAll();
  }

  synchronized int streamCount() {
    return streams.size();
  }

  synchronized int rangeCount() {
    return ranges;
  }

  synchronized int openStreamCount() {
    return (int) streams.stream().filter(StreamLog::isOpen).count();
  }

  synchronized List<StreamRecord> snapshot() {
    return streams.stream().map(StreamLog::snapshot).toList();
  }

  synchronized Optional<StreamRecord> snapshot(int ordinal) {
    return ordinal >= 1 && ordinal <= streams.size()
        ? Optional.of(streams.get(ordinal - 1).snapshot())
        : Optional.empty();
  }

  void await(String what, BooleanSupplier condition, Duration timeout) throws InterruptedException {
    await(
        what,
        () -> condition.getAsBoolean() ? Optional.of(Boolean.TRUE) : Optional.empty(),
        timeout);
  }

  StreamRecord awaitStream(
      int ordinal, String what, Predicate<StreamRecord> condition, Duration timeout)
      throws InterruptedException {
    return await(
        "stream " + ordinal + " with " + what, () -> snapshot(ordinal).filter(condition), timeout);
  }

  /** Waits for a value, which is asked for again on each change. */
  private synchronized <T> T await(String what, Supplier<Optional<T>> value, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    for (Optional<T> now = value.get(); ; now = value.get()) {
      if (now.isPresent()) {
        return now.get();
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError(
            "no " + what + " within " + timeout + "; the server saw:\n" + describe());
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private String describe() {
    return streams.stream().map(log -> "  " + log).collect(Collectors.joining("\n"));
  }
}
