// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

/** Which chunks of a range a {@link ChunkFault} befalls. Immutable and thread-safe. */
public sealed interface ChunkMatch {

  /**
   * Matches each chunk of the range.
   *
   * @return the match
   */
  static ChunkMatch all() {
    return new All();
  }

  /**
   * Matches one chunk by its place.
   *
   * @param index 0 for the range's first chunk
   * @return the match
   */
  static ChunkMatch index(int index) {
    return new Index(index);
  }

  /**
   * Matches the chunk that has a given byte of the object.
   *
   * @param offset the byte's offset in the object
   * @return the match
   */
  static ChunkMatch covering(long offset) {
    return new Covering(offset);
  }

  /**
   * Returns whether a chunk is meant.
   *
   * @param index the chunk's place in its range, from 0
   * @param offset where its content starts in the object
   * @param length the length of its content
   * @return whether it is
   */
  default boolean matches(int index, long offset, int length) {
    if (this instanceof Index wanted) {
      return wanted.index == index;
    }
    if (this instanceof Covering wanted) {
      return wanted.offset >= offset && wanted.offset - offset < length;
    }
    return true;
  }

  /** Made by {@link ChunkMatch#all}. */
  record All() implements ChunkMatch {}

  /**
   * Made by {@link ChunkMatch#index}.
   *
   * @param index the chunk's place
   */
  record Index(int index) implements ChunkMatch {}

  /**
   * Made by {@link ChunkMatch#covering}.
   *
   * @param offset the byte's offset
   */
  record Covering(long offset) implements ChunkMatch {}
}
