// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import org.jspecify.annotations.Nullable;

/** A failure that a command found itself; its message is all that the user sees. Immutable. */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitStatus status;

  CommandFailure(ExitStatus status, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** A bad argument that the parser could not see. */
  static CommandFailure usage(String message) {
    return new CommandFailure(ExitStatus.USAGE, message, null);
  }

  /** An argument that the library refused; its message names it. */
  static CommandFailure usage(RuntimeException refusal) {
    return new CommandFailure(ExitStatus.USAGE, String.valueOf(refusal.getMessage()), refusal);
  }

  ExitStatus status() {
    return status;
  }
}
