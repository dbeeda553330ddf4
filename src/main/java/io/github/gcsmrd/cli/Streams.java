// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * Where a command prints. Thread-safe.
 *
 * @param out for what was asked for
 * @param err for progress and failures
 * @param terminal whether somebody watches, and a bar may move
 */
record Streams(PrintStream out, PrintStream err, boolean terminal) {

  /** Those of the process. */
  static Streams ofProcess() {
    return new Streams(System.out, System.err, isTerminal(System.console()));
  }

  /** Since JDK 22 there can be a console without a terminal; a method that is new there tells. */
  private static boolean isTerminal(@Nullable Console console) {
    if (console == null || "dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }
}
