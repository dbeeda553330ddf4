// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.stream.SessionConfig;
import io.github.gcsmrd.internal.stream.SessionLimits;
import io.github.gcsmrd.internal.wire.EncryptionKeyBytes;
import java.util.OptionalLong;

/** Turns the options of a session into what the inside takes. Stateless, thread-safe. */
final class SessionConfigs {
  private SessionConfigs() {}

  /**
   * The configuration of a session.
   *
   * @throws IllegalArgumentException if the read handle is of another object
   */
  static SessionConfig of(String bucket, String object, MrdOptions options) {
    options
        .readHandle()
        .filter(handle -> !handle.bucket().equals(bucket) || !handle.object().equals(object))
        .ifPresent(
            handle -> {
              throw new IllegalArgumentException(
                  "readHandle is of gs://"
                      + handle.bucket()
                      + "/"
                      + handle.object()
                      + ", not of gs://"
                      + bucket
                      + "/"
                      + object);
            });
    OptionalLong ofHandle =
        options.readHandle().map(ReadHandle::generation).orElse(OptionalLong.empty());
    SessionLimits limits =
        new SessionLimits(
            options.openTimeout().toNanos(),
            options.stallTimeout().toNanos(),
            options.rangeTimeout().toNanos(),
            GcsClient.CLOSE_WAIT.toNanos(),
            SessionLimits.DEFAULT_MAX_REPAIRS,
            SessionLimits.DEFAULT_MAX_REDIRECTS,
            options.streams().heldChunks());
    return new SessionConfig(
        bucket,
        object,
        options.generation().isPresent() ? options.generation() : ofHandle,
        options.ifGenerationMatch(),
        options.ifGenerationNotMatch(),
        options.ifMetagenerationMatch(),
        options.ifMetagenerationNotMatch(),
        options.readHandle().map(ReadHandle::toByteArray),
        options.encryptionKey().map(key -> new EncryptionKeyBytes(key.toByteArray(), key.sha256())),
        options.headers(),
        options.retryPolicy(),
        limits);
  }
}
