// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/** Writes the only range to standard output. Its sink runs on one thread at a time. */
final class StreamOutput implements Output {
  private final PrintStream out;
  private final WritableByteChannel channel;

  StreamOutput(PrintStream out) {
    this.out = out;
    this.channel = Channels.newChannel(out);
  }

  @Override
  public RangeRequest request(int index, ByteRange range, Progress progress) {
    return RangeRequest.to(
        chunk -> {
          write(chunk);
          progress.add(chunk.length());
        },
        range);
  }

  /** A print stream keeps its failures to itself until asked. */
  private void write(Chunk chunk) throws IOException {
    chunk.writeTo(channel);
    if (out.checkError()) {
      throw new IOException("can't write to standard output");
    }
  }

  @Override
  public void keep(int index, RangeResult result) {
    out.flush();
  }

  @Override
  public boolean takesStandardOutput() {
    return true;
  }

  /** The stream is the process's: it stays open. */
  @Override
  public void close() {
    out.flush();
  }
}
