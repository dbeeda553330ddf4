// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the service told of an object when a stream was opened. Immutable and thread-safe.
 *
 * <p>A stream opened with a {@link ReadHandle} brings no metadata (comments of {@code
 * BidiReadObjectResponse.metadata}), so everything but the names is optional.
 *
 * @param bucket the bucket's name, without {@code projects/_/buckets/}
 * @param object the object's name
 * @param generation the generation that is read
 * @param metageneration the version of its metadata
 * @param sizeBytes the stored size at the time of the answer; an object that is not finalized can
 *     grow beyond it
 * @param contentEncoding the content encoding, empty if there is none
 * @param crc32c the CRC32C of the whole object, if the service gave one; it describes the bytes
 *     only once the object is finalized
 * @param finalizeTime when the object was finalized; empty while it can still be appended to
 * @param etag the entity tag, empty if unknown
 */
public record ObjectInfo(
    String bucket,
    String object,
    OptionalLong generation,
    OptionalLong metageneration,
    OptionalLong sizeBytes,
    String contentEncoding,
    OptionalInt crc32c,
    Optional<Instant> finalizeTime,
    String etag) {

  /** Checks that nothing is null. */
  public ObjectInfo {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(metageneration, "metageneration");
    Objects.requireNonNull(sizeBytes, "sizeBytes");
    Objects.requireNonNull(contentEncoding, "contentEncoding");
    Objects.requireNonNull(crc32c, "crc32c");
    Objects.requireNonNull(finalizeTime, "finalizeTime");
    Objects.requireNonNull(etag, "etag");
  }

  /**
   * Returns whether the object can no longer change under its generation.
   *
   * @return false also if the service said nothing
   */
  public boolean isFinalized() {
    return finalizeTime.isPresent();
  }
}
