// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.internal.wire.EncryptionKeyBytes;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a session was asked to do. Immutable.
 *
 * @param bucket the bucket's plain name
 * @param object the object's name
 * @param generation the generation to read, if one was asked for or came with the handle
 * @param ifGenerationMatch precondition
 * @param ifGenerationNotMatch precondition
 * @param ifMetagenerationMatch precondition, for the first open only
 * @param ifMetagenerationNotMatch precondition, for the first open only
 * @param readHandle the handle to open with
 * @param key the customer-supplied key
 * @param headers further request headers
 * @param retryPolicy decides on reopening
 * @param limits times and counts
 */
public record SessionConfig(
    String bucket,
    String object,
    OptionalLong generation,
    OptionalLong ifGenerationMatch,
    OptionalLong ifGenerationNotMatch,
    OptionalLong ifMetagenerationMatch,
    OptionalLong ifMetagenerationNotMatch,
    Optional<byte[]> readHandle,
    Optional<EncryptionKeyBytes> key,
    Map<String, String> headers,
    RetryPolicy retryPolicy,
    SessionLimits limits) {

  /**
   * The same for a further stream of an object that is open: no precondition but its generation.
   */
  SessionConfig further(OptionalLong pinnedGeneration, Optional<byte[]> newestHandle) {
    return new SessionConfig(
        bucket,
        object,
        pinnedGeneration,
        ifGenerationMatch,
        ifGenerationNotMatch,
        OptionalLong.empty(),
        OptionalLong.empty(),
        newestHandle,
        key,
        headers,
        retryPolicy,
        limits);
  }
}
