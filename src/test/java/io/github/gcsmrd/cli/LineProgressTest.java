// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineProgressTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final LineProgress progress =
      new LineProgress(new PrintStream(err, true, StandardCharsets.UTF_8), "reading", nanos::get);

  private void passMillis(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void printsEveryTwoSecondsAndAtTheEnd() {
    progress.add(10);
    passMillis(1_999);
    progress.add(10);
    passMillis(1);
    progress.add(10);
    progress.expect(200);
    progress.add(10);
    passMillis(5_000);
    progress.add(60);
    progress.add(100);
    progress.close();
    assertEquals(
        """
        reading: 30 bytes
        reading: 100 of 200 bytes, 50 %
        reading: 200 of 200 bytes, 100 %
        """,
        err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void printsNothingIfNothingCame() {
    progress.expect(5);
    passMillis(10_000);
    progress.close();
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }
}
