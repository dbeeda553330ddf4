// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Holds a message for each chunk until the test lets go, however many that are. */
class HoldingDestination implements Destination {
  private Listener listener;
  private int held;

  @Override
  public void attach(Listener listener) {
    this.listener = listener;
  }

  @Override
  public void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory) {
    held++;
    listener.onHeld(1);
  }

  void letGo() {
    listener.onHeld(-held);
    held = 0;
  }

  @Override
  public Optional<ByteBuffer> finish(long lengthBytes) {
    return Optional.empty();
  }

  @Override
  public void abandon() {
    letGo();
  }
}
