// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the first request of a stream says of the object. Immutable; the arrays in it are not
 * changed by anyone.
 *
 * @param bucket the bucket's name, without {@code projects/_/buckets/}
 * @param object the object's name
 * @param generation the generation to read, 0 for the newest
 * @param ifGenerationMatch precondition; 0 means that there is no live version
 * @param ifGenerationNotMatch precondition; 0 means that there is a live version
 * @param ifMetagenerationMatch precondition
 * @param ifMetagenerationNotMatch precondition
 * @param readHandle the newest handle
 * @param routingToken the token of the last redirect
 * @param key the key of an object encrypted with the customer's own
 */
public record OpenSpec(
    String bucket,
    String object,
    long generation,
    OptionalLong ifGenerationMatch,
    OptionalLong ifGenerationNotMatch,
    OptionalLong ifMetagenerationMatch,
    OptionalLong ifMetagenerationNotMatch,
    Optional<byte[]> readHandle,
    Optional<String> routingToken,
    Optional<EncryptionKeyBytes> key) {

  /** Checks that nothing is null. */
  public OpenSpec {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(ifGenerationMatch, "ifGenerationMatch");
    Objects.requireNonNull(ifGenerationNotMatch, "ifGenerationNotMatch");
    Objects.requireNonNull(ifMetagenerationMatch, "ifMetagenerationMatch");
    Objects.requireNonNull(ifMetagenerationNotMatch, "ifMetagenerationNotMatch");
    Objects.requireNonNull(readHandle, "readHandle");
    Objects.requireNonNull(routingToken, "routingToken");
    Objects.requireNonNull(key, "key");
  }

  /** The newest generation of an object, without conditions. */
  public static OpenSpec of(String bucket, String object) {
    return new OpenSpec(
        bucket,
        object,
        0,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
