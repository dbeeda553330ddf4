// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the bytes of a download go. Requests are made, and ranges kept, by the main thread; the
 * sinks of the requests run on others.
 */
interface Output extends AutoCloseable {

  /** What {@code --out} says: a directory, {@code -} for standard output, or nothing. */
  static Output of(Optional<String> where, ObjectName source, int ranges, Streams streams)
      throws CommandFailure, IOException {
    if (where.isEmpty()) {
      return new DiscardingOutput();
    }
    if (where.get().isBlank()) {
      throw CommandFailure.usage("--out must name a directory or be -: '" + where.get() + "'");
    }
    if (!where.get().equals("-")) {
      return DirectoryOutput.open(Path.of(where.get()), FileNames.base(source.object()), ranges);
    }
    if (ranges != 1) {
      throw CommandFailure.usage("--out - is for one range, not " + ranges);
    }
    return new StreamOutput(streams.out());
  }

  /** Makes the request of a range. Bytes that arrive are told to the progress. */
  RangeRequest request(int index, ByteRange range, Progress progress);

  /** A range is wholly there; its sink has ended. */
  void keep(int index, RangeResult result) throws IOException;

  /** Whether standard output holds the bytes, and so must hold nothing else. */
  default boolean takesStandardOutput() {
    return false;
  }

  /** Drops what was not kept; all sinks have ended. */
  @Override
  void close() throws IOException;
}
