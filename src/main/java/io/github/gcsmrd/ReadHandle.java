// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The service's handle on an open object: a session opened with it skips the checks of a first
 * open. Immutable and thread-safe; it holds a copy of the service's bytes, which are opaque.
 *
 * <p>How long a handle lives isn't documented; one that the service refuses is dropped and the
 * object opened without it, so a stale handle costs a round trip, nothing else.
 */
public final class ReadHandle {
  private final String bucket;
  private final String object;
  private final OptionalLong generation;
  private final byte[] bytes;

  private ReadHandle(String bucket, String object, OptionalLong generation, byte[] bytes) {
    this.bucket = bucket;
    this.object = object;
    this.generation = generation;
    this.bytes = bytes;
  }

  /**
   * Makes a handle from its parts, for one that was stored.
   *
   * @param bucket the bucket it came from
   * @param object the object it came from
   * @param generation the generation that was read, if known: it is then pinned
   * @param bytes the handle's bytes; copied
   * @return the handle
   * @throws IllegalArgumentException if a name or the generation can't be, or there are no bytes
   */
  public static ReadHandle of(String bucket, String object, OptionalLong generation, byte[] bytes) {
    Checks.bucketName(bucket);
    Checks.objectName(object);
    Objects.requireNonNull(generation, "generation").ifPresent(Checks::generation);
    Objects.requireNonNull(bytes, "bytes");
    if (bytes.length == 0) {
      throw new IllegalArgumentException("bytes is empty: no read handle");
    }
    return new ReadHandle(bucket, object, generation, bytes.clone());
  }

  /**
   * Returns the bucket.
   *
   * @return its plain name
   */
  public String bucket() {
    return bucket;
  }

  /**
   * Returns the object.
   *
   * @return its name
   */
  public String object() {
    return object;
  }

  /**
   * Returns the generation that was read under the handle.
   *
   * @return the generation, if known
   */
  public OptionalLong generation() {
    return generation;
  }

  /**
   * Returns the handle's bytes, to be stored or sent to another process.
   *
   * @return a copy
   */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReadHandle handle
        && bucket.equals(handle.bucket)
        && object.equals(handle.object)
        && generation.equals(handle.generation)
        && Arrays.equals(bytes, handle.bytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bucket, object, generation, Arrays.hashCode(bytes));
  }

  /** Names the object and the size of the handle; the bytes may be a credential of sorts. */
  @Override
  public String toString() {
    return "ReadHandle[gs://"
        + bucket
        + "/"
        + object
        + ", generation "
        + generation
        + ", "
        + bytes.length
        + " bytes, hash "
        + HexFormat.of().toHexDigits(Arrays.hashCode(bytes))
        + "]";
  }
}
