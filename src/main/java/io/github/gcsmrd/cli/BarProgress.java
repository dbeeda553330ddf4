// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on a terminal. Thread-safe. */
final class BarProgress implements Progress {
  /** A fixed width: to ask the terminal for its own would load native code. */
  private static final int COLUMNS = 79;

  private static final int UPDATE_MILLIS = 100;

  private final ProgressBar bar;

  BarProgress(PrintStream err, String task) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(-1)
            .setUnit(" MiB", 1 << 20)
            .setStyle(style())
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(err, COLUMNS))
            .build();
  }

  private static ProgressBarStyle style() {
    String charset = System.getProperty("stdout.encoding", "").toUpperCase(Locale.ROOT);
    return charset.startsWith("UTF") ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII;
  }

  @Override
  public void expect(long totalBytes) {
    bar.maxHint(totalBytes);
  }

  @Override
  public void add(long bytes) {
    bar.stepBy(bytes);
  }

  @Override
  public void close() {
    bar.close();
  }
}
