// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Content of a file. Immutable and thread-safe; the file is open only during a read, so there is
 * nothing to close.
 *
 * @param file the file
 * @param size its size when the content was made
 */
record FileContent(Path file, long size) implements ObjectContent {

  static FileContent of(Path file) throws IOException {
    long size = Files.size(Objects.requireNonNull(file, "file"));
    if (!Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "it is no regular file");
    }
    return new FileContent(file, size);
  }

  @Override
  public void read(long offset, byte[] target, int targetOffset, int length) {
    requireInside(offset, length);
    ByteBuffer rest = ByteBuffer.wrap(target, targetOffset, length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (long at = offset; rest.hasRemaining(); ) {
        int read = channel.read(rest, at);
        if (read < 0) {
          throw new EOFException(file + " has shrunk below " + size + " bytes");
        }
        at += read;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
