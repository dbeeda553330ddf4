// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.checksum.HashTask;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import org.jspecify.annotations.Nullable;

/**
 * A piece that waits in its call's lane. Confined to the loop.
 *
 * <p>It owns one reference to its memory, released when it leaves the lane; a hash of it owns
 * another. A small piece is a copy: it would pin a large message.
 */
final class HeldPiece {
  private final Piece piece;
  private final MessageMemory memory;
  private final HeldMessage message;
  private @Nullable HashTask hash;

  private HeldPiece(Piece piece, MessageMemory memory, HeldMessage message) {
    this.piece = piece;
    this.memory = memory;
    this.message = message;
    message.add();
  }

  /** Holds a piece of a message whose owner holds it meanwhile. */
  static HeldPiece of(Piece piece, MessageMemory memory, HeldMessage message) {
    Content content = piece.data().content();
    if (content.length() >= ChunkHandle.COPY_BELOW_BYTES) {
      memory.retain();
      return new HeldPiece(piece, memory, message);
    }
    Content copy = Content.wrap(content.toByteArray(0, content.length()));
    return new HeldPiece(
        piece.with(piece.data().withContent(copy)),
        new MessageMemory(copy.length(), HeldPiece::nothingToFree),
        message);
  }

  private static void nothingToFree() {}

  Piece piece() {
    return piece;
  }

  RangeRead read() {
    return piece.read();
  }

  MessageMemory memory() {
    return memory;
  }

  /** A worker hashes it. */
  void hashedBy(HashTask task) {
    hash = task;
  }

  @Nullable HashTask hash() {
    return hash;
  }

  /** Whether it can be settled now: a worker has ended, or none was asked. */
  boolean isReady() {
    HashTask task = hash;
    return task == null || task.isEnded();
  }

  /** Whether its read has ended, or has been asked for again, since it came. */
  boolean isStale() {
    RangeRead read = piece.read();
    return read.state() != RangeRead.State.ASKED || read.readId() != piece.data().readId();
  }

  /** It leaves the lane: a hash that has not begun is taken back. */
  void release() {
    if (hash != null) {
      hash.cancel();
    }
    memory.release();
    message.remove();
  }
}
