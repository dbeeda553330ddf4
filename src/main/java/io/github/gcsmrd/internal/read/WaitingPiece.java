// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.MessageMemory;

/**
 * A piece that stays inside its message, since its call holds all it may. Immutable; used on the
 * loop.
 *
 * <p>It owns one reference to its memory, released when it leaves it. It is no copy, however small:
 * the message is kept for it and counts as one. Only if the message may not be held it is, hashed
 * already, and counts all the same.
 *
 * @param number its place in the order of arrival
 * @param piece what waits
 * @param memory what it lies in
 * @param message counts the message
 * @param crc32c its hash, if it was made on arrival
 * @param forWorker whether a worker is to hash it
 */
record WaitingPiece(
    long number,
    Piece piece,
    MessageMemory memory,
    HeldMessage message,
    int crc32c,
    boolean forWorker) {
  WaitingPiece {
    message.add();
  }

  /** Leaves a piece in its message, if that may be held, as it may if a worker is to hash it. */
  static WaitingPiece of(
      long number,
      Piece piece,
      MessageMemory memory,
      HeldMessage message,
      int crc32c,
      boolean forWorker) {
    if (memory.mayBeHeld()) {
      memory.retain();
      return new WaitingPiece(number, piece, memory, message, crc32c, forWorker);
    }
    assert !forWorker;
    MessageMemory copy = MessageMemory.ofCopy(piece.data().content().length());
    return new WaitingPiece(number, piece.copied(), copy, message, crc32c, false);
  }

  /** It leaves its message. */
  void release() {
    memory.release();
    message.remove();
  }
}
