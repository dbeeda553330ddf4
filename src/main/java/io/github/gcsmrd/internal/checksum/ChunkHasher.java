// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import io.github.gcsmrd.internal.wire.Content;
import java.util.zip.CRC32C;

/**
 * Computes the CRC32C of contents, without allocating. Confined to one thread: a loop has its own,
 * and so has each worker.
 */
public final class ChunkHasher {
  private final CRC32C crc = new CRC32C();

  /**
   * Hashes bytes of a content on the loop that received it, before any other thread reads it.
   *
   * @throws IndexOutOfBoundsException if the bytes are not there
   */
  public int hash(Content content, int from, int length) {
    crc.reset();
    content.update(crc, from, length);
    return (int) crc.getValue();
  }

  /** Hashes all of a content that other threads may read meanwhile. */
  public int hashShared(Content content) {
    crc.reset();
    content.updateShared(crc);
    return (int) crc.getValue();
  }
}
