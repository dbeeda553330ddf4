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
import java.util.ArrayList;
import java.util.List;

/**
 * Writes each range to a file of its own, which gets its name once it is whole. A file is open only
 * while a chunk is written, so that there may be more ranges than a process may have open files.
 */
final class DirectoryOutput implements Output {
  private final Path directory;
  private final String base;
  private final List<Path> partials;

  private DirectoryOutput(Path directory, String base, List<Path> partials) {
    this.directory = directory;
    this.base = base;
    this.partials = partials;
  }

  /** Makes the directory and an empty file for each range: what can't be written shows now. */
  static DirectoryOutput open(Path directory, String base, int ranges) throws IOException {
    List<Path> partials = new ArrayList<>(ranges);
    try {
      Files.createDirectories(directory);
      for (int i = 0; i < ranges; i++) {
        Path partial = directory.resolve(FileNames.partial(base, i));
        Files.write(partial, new byte[0]);
        partials.add(partial);
      }
    } catch (IOException e) {
      throw FileFailures.unwritable(directory, e);
    }
    return new DirectoryOutput(directory, base, List.copyOf(partials));
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
      Files.move(partials.get(index), file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw FileFailures.unwritable(file, e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Path partial : partials) {
      Files.deleteIfExists(partial);
    }
  }
}
