// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.RangeCompletion;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.concurrent.CancellationException;

/** A range and whoever waits for it. Not thread-safe. */
class TestRead implements RangeCompletion {
  private final RangeRead read;
  private boolean abandoned;
  private RangeResult result;
  private Throwable failure;
  private int outcomes;
  private int quiets;

  TestRead(ByteRange range, Destination destination, boolean checking) {
    this.read = new RangeRead(range, destination, this, checking);
  }

  RangeRead read() {
    return read;
  }

  /** As the user's cancel does, before the session hears of it. */
  void abandon() {
    abandoned = true;
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public boolean claim() {
    if (abandoned) {
      outcomes++;
      failure = new CancellationException("by the user, before it was over");
    }
    return !abandoned;
  }

  @Override
  public void succeed(RangeResult rangeResult) {
    outcomes++;
    result = rangeResult;
  }

  @Override
  public void fail(Throwable thrown) {
    outcomes++;
    failure = thrown;
  }

  @Override
  public void quiet() {
    quiets++;
  }

  boolean isEnded() {
    return outcomes > 0;
  }

  RangeResult result() {
    assertNull(failure, () -> read + " failed: " + failure);
    assertNotNull(result, () -> read + " has not ended");
    assertOnce();
    return result;
  }

  Throwable failure() {
    assertNull(result, () -> read + " succeeded");
    assertNotNull(failure, () -> read + " has not ended");
    assertOnce();
    return failure;
  }

  <T extends Throwable> T failure(Class<T> type) {
    assertEquals(type, failure().getClass(), () -> "failure: " + failure);
    return type.cast(failure);
  }

  /** Ended once, and its destination is done with. */
  void assertOnce() {
    assertEquals(1, outcomes, () -> "outcomes of " + read);
    assertEquals(1, quiets, () -> "quiets of " + read);
  }

  void assertBytes(byte[] expected) {
    RangeResult got = result();
    assertEquals(expected.length, got.length());
    byte[] bytes = new byte[expected.length];
    got.buffer().orElseThrow().get(0, bytes);
    assertArrayEquals(expected, bytes);
  }

  boolean succeeded() {
    return result != null;
  }

  @Override
  public String toString() {
    return read + (failure != null ? " failed by " + failure : result != null ? " done" : "");
  }
}
