// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.checksum.HashTask;
import io.github.gcsmrd.internal.wire.MessageMemory;
import org.jspecify.annotations.Nullable;

/**
 * A piece that waits in its call's lane. Confined to the loop.
 *
 * <p>It owns one reference to its memory, released when it leaves the lane; a hash of it owns
 * another. A small piece is a copy: it would pin a large message. So is one whose message may not
 * be held.
 */
final class HeldPiece {
  private final long number;
  private final Piece piece;
  private final MessageMemory memory;
  private final HeldMessage message;
  private final int crc32c;
  private final @Nullable HashTask hash;

  private HeldPiece(
      long number,
      Piece piece,
      MessageMemory memory,
      HeldMessage message,
      int crc32c,
      @Nullable HashTask hash) {
    this.number = number;
    this.piece = piece;
    this.memory = memory;
    this.message = message;
    this.crc32c = crc32c;
    this.hash = hash;
    message.add();
  }

  /**
   * Holds a large piece, whose message may be held, while a worker hashes it; the message's owner
   * holds that meanwhile.
   */
  static HeldPiece hashedBy(
      HashTask hash, long number, Piece piece, MessageMemory memory, HeldMessage message) {
    memory.retain();
    return new HeldPiece(number, piece, memory, message, 0, hash);
  }

  /** Holds a piece that was hashed on arrival, if it needed that. */
  static HeldPiece hashed(
      int crc32c, long number, Piece piece, MessageMemory memory, HeldMessage message) {
    int length = piece.data().content().length();
    if (length >= ChunkHandle.COPY_BELOW_BYTES && memory.mayBeHeld()) {
      memory.retain();
      return new HeldPiece(number, piece, memory, message, crc32c, null);
    }
    return new HeldPiece(
        number, piece.copied(), MessageMemory.ofCopy(length), message, crc32c, null);
  }

  /** Its place in the order of arrival. */
  long number() {
    return number;
  }

  Piece piece() {
    return piece;
  }

  RangeRead read() {
    return piece.read();
  }

  MessageMemory memory() {
    return memory;
  }

  /** The worker's hash; null if it was hashed on arrival, or needs none. */
  @Nullable HashTask hash() {
    return hash;
  }

  /** Its CRC32C, once ready. */
  int crc32c() {
    return hash == null ? crc32c : hash.crc32c();
  }

  /** Whether it can be settled now: a worker has ended, or none was asked. */
  boolean isReady() {
    return hash == null || hash.isEnded();
  }

  /** Whether its read has ended, or has been asked for again, since it came. */
  boolean isStale() {
    return piece.isStale();
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
