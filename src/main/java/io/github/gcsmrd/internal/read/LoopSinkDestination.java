// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.RangeSink;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A sink that asked to be called on the event loop, and so never lacks demand. Confined to it. */
public final class LoopSinkDestination implements Destination {
  private final RangeSink sink;

  /** Calls the sink inline. */
  public LoopSinkDestination(RangeSink sink) {
    this.sink = sink;
  }

  /** Its user may rely on the one thread that calls it. */
  @Override
  public boolean isMovable() {
    return false;
  }

  @Override
  public void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory)
      throws Exception {
    try (ChunkHandle chunk = ChunkHandle.view(offset, content, from, length, memory)) {
      sink.accept(chunk);
    }
  }

  @Override
  public Optional<ByteBuffer> finish(long lengthBytes) {
    return Optional.empty();
  }
}
