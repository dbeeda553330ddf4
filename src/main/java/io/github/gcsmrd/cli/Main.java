// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Where the command line begins. */
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
    int status = RootCommand.run(Streams.ofProcess(), args);
    System.out.flush();
    System.err.flush();
    if (status != ExitStatus.OK.code()) {
      System.exit(status);
    }
  }
}
