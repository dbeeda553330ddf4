// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.MessageMemory;

/**
 * A piece that stays inside its message, since its call holds all it may. Immutable; used on the
 * loop.
 *
 * <p>It owns one reference to the message's memory, released when it leaves it. It is no copy,
 * however small: the message is kept for it and counts as one.
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
    memory.retain();
    message.add();
  }

  /** It leaves its message. */
  void release() {
    memory.release();
    message.remove();
  }
}
