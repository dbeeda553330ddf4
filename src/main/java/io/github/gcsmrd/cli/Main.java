// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Where the command line begins. Thread-safe. It alone of its package gets by without the optional
 * dependencies, to tell which one is missing.
 */
public final class Main {
  /** Loggers whose news a command tells itself; kept, or their level would be collected. */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("io.grpc"),
          Logger.getLogger("io.github.gcsmrd"),
          Logger.getLogger("com.google"));

  private Main() {}

  /**
   * Runs a command. Ends the process unless the status is 0: then it returns, so that whoever runs
   * it in a process of theirs, as Maven does, goes on.
   *
   * @param args the arguments; none runs the demo
   */
  public static void main(String... args) {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
    int status = run(args);
    System.out.flush();
    System.err.flush();
    if (status != ExitStatus.OK.code()) {
      System.exit(status);
    }
  }

  private static int run(String... args) {
    try {
      return RootCommand.run(Streams.ofProcess(), args);
    } catch (NoClassDefFoundError incomplete) {
      if (incomplete.getCause() instanceof ClassNotFoundException missing) {
        System.err.println("gcs-mrd: " + describe(String.valueOf(missing.getMessage())));
        return ExitStatus.FAILED.code();
      }
      throw incomplete;
    }
  }

  private static String describe(String missing) {
    String library = "a dependency of gcs-mrd";
    if (missing.startsWith("picocli.")) {
      library = "info.picocli:picocli, an optional dependency that the command line needs,";
    } else if (missing.startsWith("me.tongfei.")) {
      library = "me.tongfei:progressbar, an optional dependency that the command line needs,";
    }
    return library
        + " is not on the class path (no class "
        + missing
        + "); 'mvn compile exec:java' brings all of them";
  }
}
