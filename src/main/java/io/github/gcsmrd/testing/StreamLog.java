// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.StreamRecord.End;
import io.github.gcsmrd.testing.StreamRecord.EndKind;
import io.github.gcsmrd.testing.StreamRecord.Message;
import io.github.gcsmrd.testing.StreamRecord.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the record of one stream. Thread-safe: guarded by its {@link Traffic}. */
final class StreamLog {
  private final Traffic traffic;
  private final int ordinal;
  private final int connection;
  private final String authority;
  private final Map<String, List<String>> headers;
  private final long startedNanos = System.nanoTime();
  private final List<Message> messages = new ArrayList<>();
  private Optional<Spec> spec = Optional.empty();
  private Optional<End> end = Optional.empty();
  private boolean halfClosed;
  private long payloadBytes;
  private long responses;
  private int rangesReceived;
  private int rangesFinished;

  StreamLog(
      Traffic traffic,
      int ordinal,
      int connection,
      String authority,
      Map<String, List<String>> headers) {
    this.traffic = traffic;
    this.ordinal = ordinal;
    this.connection = connection;
    this.authority = authority;
    this.headers = headers;
  }

  int ordinal() {
    return ordinal;
  }

  /** Notes a message and returns the ordinal, on the server, of its first range. */
  int message(Message message, Optional<Spec> itsSpec) {
    synchronized (traffic) {
      messages.add(message);
      spec = spec.or(() -> itsSpec);
      rangesReceived += message.ranges().size();
      return traffic.rangesReceived(message.ranges().size());
    }
  }

  void halfClosed() {
    synchronized (traffic) {
      halfClosed = true;
      traffic.changed();
    }
  }

  void sent(long bytes) {
    synchronized (traffic) {
      payloadBytes += bytes;
      responses++;
      traffic.changed();
    }
  }

  void finished(int ranges) {
    if (ranges > 0) {
      synchronized (traffic) {
        rangesFinished += ranges;
        traffic.changed();
      }
    }
  }

  /** Notes the end; the first one counts. */
  void ended(EndKind kind, StatusCode code, String message) {
    synchronized (traffic) {
      if (end.isEmpty()) {
        end = Optional.of(new End(kind, code, message, System.nanoTime()));
        traffic.changed();
      }
    }
  }

  boolean isOpen() {
    synchronized (traffic) {
      return end.isEmpty();
    }
  }

  StreamRecord snapshot() {
    synchronized (traffic) {
      return new StreamRecord(
          ordinal,
          connection,
          authority,
          headers,
          spec,
          List.copyOf(messages),
          halfClosed,
          end,
          payloadBytes,
          responses,
          rangesFinished,
          startedNanos);
    }
  }

  @Override
  public String toString() {
    synchronized (traffic) {
      return "stream "
          + ordinal
          + " on connection "
          + connection
          + ": "
          + messages.size()
          + " messages, "
          + rangesReceived
          + " ranges, "
          + rangesFinished
          + " of them finished, "
          + payloadBytes
          + " bytes sent, "
          + end.map(e -> e.kind() + " " + e.code() + " " + e.message()).orElse("open");
    }
  }
}
