// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.DownloadException;
import io.github.gcsmrd.RangeOutcome;
import java.io.PrintStream;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells of a failure in one line, and chooses the exit status. Confined to the main thread. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final PrintStream err;
  private final BooleanSupplier verbose;

  /**
   * Makes the handler.
   *
   * @param err where the line goes
   * @param verbose whether the stack trace follows
   */
  Failures(PrintStream err, BooleanSupplier verbose) {
    this.err = err;
    this.verbose = verbose;
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    return tell(failure, failure.getCommandLine(), ExitStatus.USAGE);
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    return tell(failure, command, ExitStatus.of(root(failure)));
  }

  private int tell(Exception failure, CommandLine command, ExitStatus status) {
    StringBuilder line = new StringBuilder("gcs-mrd: ").append(describe(failure));
    if (status == ExitStatus.USAGE) {
      line.append("; see '").append(command.getCommandSpec().qualifiedName()).append(" --help'");
    }
    err.println(line.toString().replaceAll("\\s*\\R\\s*", " "));
    if (verbose.getAsBoolean()) {
      failure.printStackTrace(err);
    }
    return status.code();
  }

  /** What the user is told. */
  static String describe(Throwable failure) {
    Throwable root = root(failure);
    String message = root.getMessage();
    String text = message == null || message.isBlank() ? root.toString() : message;
    return countFailed(failure) + text;
  }

  /** How many ranges failed, if there were others. */
  private static String countFailed(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof DownloadException download && download.outcomes().size() > 1) {
        long failed =
            download.outcomes().stream().filter(RangeOutcome.Failed.class::isInstance).count();
        return failed + " of " + download.outcomes().size() + " ranges failed: ";
      }
    }
    return "";
  }

  /** What lies below the wrappers of futures and downloads. */
  static Throwable root(Throwable failure) {
    Throwable at = failure;
    for (Throwable cause = at.getCause(); cause != null && isWrapper(at); cause = at.getCause()) {
      at = cause;
    }
    return at;
  }

  private static boolean isWrapper(Throwable failure) {
    return failure instanceof ExecutionException
        || failure instanceof CompletionException
        || failure instanceof DownloadException;
  }
}
