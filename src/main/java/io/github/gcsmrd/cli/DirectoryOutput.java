// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes each range to a file of its own, which gets its name once it is whole. A file is open only
 * while a chunk is written, so that there may be more ranges than a process may have open files.
 *
 * <p>Until then it has a name that no other run uses, and goes when this output is closed or the
 * process ends, by Ctrl-C too.
 */
final class DirectoryOutput implements Output {
  private final Path directory;
  private final String base;
  private final List<Path> partials;
  private final Thread atExit;

  private DirectoryOutput(Path directory, String base, List<Path> partials, Thread atExit) {
    this.directory = directory;
    this.base = base;
    this.partials = partials;
    this.atExit = atExit;
  }

  /** Makes the directory and an empty file for each range: what can't be written shows now. */
  static DirectoryOutput open(Path directory, String base, int ranges) throws IOException {
    List<Path> partials = partialNames(directory, base, ranges);
    DirectoryOutput output =
        new DirectoryOutput(
            directory, base, partials, new Thread(() -> delete(partials), "gcs-mrd-part-files"));
    Runtime.getRuntime().addShutdownHook(output.atExit);
    try {
      Files.createDirectories(directory);
      for (Path partial : partials) {
        Files.createFile(partial);
      }
      return output;
    } catch (IOException e) {
      IOException failure = FileFailures.unwritable(directory, e);
      try {
        output.close();
      } catch (IOException another) {
        failure.addSuppressed(another);
      }
      throw failure;
    }
  }

  private static List<Path> partialNames(Path directory, String base, int ranges) {
    long run = new SecureRandom().nextLong();
    List<Path> names = new ArrayList<>(ranges);
    for (int i = 0; i < ranges; i++) {
      names.add(directory.resolve(FileNames.partial(base, i, run)));
    }
    return names;
  }

  @Override
  public RangeRequest request(int index, ByteRange range, Progress progress) {
    Path partial = partials.get(index);
    return RangeRequest.to(
        chunk -> {
          append(partial, chunk);
          progress.add(chunk.length());
        },
        range);
  }

  private static void append(Path file, Chunk chunk) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
      chunk.writeTo(channel);
    } catch (IOException e) {
      throw FileFailures.unwritable(file, e);
    }
  }

  @Override
  public void keep(int index, RangeResult result) throws IOException {
    Path file = directory.resolve(FileNames.of(base, result));
    try {
      Files.move(partials.get(index), file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw FileFailures.unwritable(file, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException theProcessEnds) {
      // The hook does the same at the same time.
    }
    Optional<IOException> failure = delete(partials);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Deletes what there is of them, and returns why one is still there. */
  private static Optional<IOException> delete(List<Path> partials) {
    Optional<IOException> first = Optional.empty();
    for (Path partial : partials) {
      try {
        Files.deleteIfExists(partial);
      } catch (IOException e) {
        first = first.isPresent() ? first : Optional.of(FileFailures.undeletable(partial, e));
      }
    }
    return first;
  }
}
