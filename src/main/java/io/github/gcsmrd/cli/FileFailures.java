// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says in words what is wrong with a file. */
final class FileFailures {
  private FileFailures() {}

  /** A failure to write, with a message for the user. */
  static IOException unwritable(Path file, IOException cause) {
    return new IOException("can't write " + file + ": " + reason(cause), cause);
  }

  /** A failure to delete, with a message for the user. */
  static IOException undeletable(Path file, IOException cause) {
    return new IOException("can't delete " + file + ": " + reason(cause), cause);
  }

  /** Why; the messages of most file exceptions are but the file's name. */
  static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "it exists and is no directory";
    }
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? failure.toString() : reason;
  }
}
