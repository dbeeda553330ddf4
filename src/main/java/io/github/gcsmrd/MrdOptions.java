// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.stream.SessionLimits;
import io.github.gcsmrd.internal.stream.StreamBounds;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Options of one session, which travel with every open of it. Immutable and thread-safe.
 *
 * <p>Defaults: the newest generation, no preconditions, no handle, no key, {@link
 * RetryPolicy#exponential()}, open timeout 20 s, stall timeout 30 s, range timeout 10 min.
 */
public final class MrdOptions {
  /** How long an attempt to open may go without a sign of the server. */
  public static final Duration DEFAULT_OPEN_TIMEOUT = SessionLimits.DEFAULT_OPEN_TIMEOUT;

  /** How long a stream may be silent while ranges wait. */
  public static final Duration DEFAULT_STALL_TIMEOUT = SessionLimits.DEFAULT_STALL_TIMEOUT;

  /** How long a range may get nothing while its stream is alive. */
  public static final Duration DEFAULT_RANGE_TIMEOUT = SessionLimits.DEFAULT_RANGE_TIMEOUT;

  private static final MrdOptions DEFAULTS = builder().build();

  private final OptionalLong generation;
  private final OptionalLong ifGenerationMatch;
  private final OptionalLong ifGenerationNotMatch;
  private final OptionalLong ifMetagenerationMatch;
  private final OptionalLong ifMetagenerationNotMatch;
  private final Optional<ReadHandle> readHandle;
  private final Optional<EncryptionKey> encryptionKey;
  private final Map<String, String> headers;
  private final RetryPolicy retryPolicy;
  private final Duration openTimeout;
  private final Duration stallTimeout;
  private final Duration rangeTimeout;
  private final StreamBounds streams;

  MrdOptions(MrdOptionsBuilder builder) {
    this.generation = builder.generation;
    this.ifGenerationMatch = builder.ifGenerationMatch;
    this.ifGenerationNotMatch = builder.ifGenerationNotMatch;
    this.ifMetagenerationMatch = builder.ifMetagenerationMatch;
    this.ifMetagenerationNotMatch = builder.ifMetagenerationNotMatch;
    this.readHandle = builder.readHandle;
    this.encryptionKey = builder.encryptionKey;
    this.headers = Map.copyOf(builder.headers);
    this.retryPolicy = builder.retryPolicy;
    this.openTimeout = builder.openTimeout;
    this.stallTimeout = builder.stallTimeout;
    this.rangeTimeout = builder.rangeTimeout;
    this.streams = builder.streams;
  }

  /**
   * Returns the defaults.
   *
   * @return the options
   */
  public static MrdOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns a builder that holds the defaults.
   *
   * @return the builder
   */
  public static MrdOptionsBuilder builder() {
    return new MrdOptionsBuilder();
  }

  /**
   * Returns the generation to read.
   *
   * @return the generation; empty for the newest, which is pinned once the object is open
   */
  public OptionalLong generation() {
    return generation;
  }

  /**
   * Returns the generation that the object must have.
   *
   * @return the precondition, if set; 0 means that there must be no live version
   */
  public OptionalLong ifGenerationMatch() {
    return ifGenerationMatch;
  }

  /**
   * Returns the generation that the object must not have.
   *
   * @return the precondition, if set; 0 means that there must be a live version
   */
  public OptionalLong ifGenerationNotMatch() {
    return ifGenerationNotMatch;
  }

  /**
   * Returns the metageneration that the object must have when it is opened.
   *
   * @return the precondition, if set
   */
  public OptionalLong ifMetagenerationMatch() {
    return ifMetagenerationMatch;
  }

  /**
   * Returns the metageneration that the object must not have when it is opened.
   *
   * @return the precondition, if set
   */
  public OptionalLong ifMetagenerationNotMatch() {
    return ifMetagenerationNotMatch;
  }

  /**
   * Returns the handle to open with.
   *
   * @return the handle, if set
   */
  public Optional<ReadHandle> readHandle() {
    return readHandle;
  }

  /**
   * Returns the customer-supplied key.
   *
   * @return the key, if set
   */
  public Optional<EncryptionKey> encryptionKey() {
    return encryptionKey;
  }

  /**
   * Returns further request headers.
   *
   * @return an immutable map by lower-case name
   */
  public Map<String, String> headers() {
    return headers;
  }

  /**
   * Returns the policy that decides on reopening a stream.
   *
   * @return the policy
   */
  public RetryPolicy retryPolicy() {
    return retryPolicy;
  }

  /**
   * Returns how long an attempt to open may go without a sign of the server.
   *
   * @return the limit
   */
  public Duration openTimeout() {
    return openTimeout;
  }

  /**
   * Returns how long a stream may be silent while ranges wait that can take data.
   *
   * @return the limit
   */
  public Duration stallTimeout() {
    return stallTimeout;
  }

  /**
   * Returns how long a range may get nothing while its stream is alive.
   *
   * @return the limit
   */
  public Duration rangeTimeout() {
    return rangeTimeout;
  }

  /**
   * Returns how many streams are kept open.
   *
   * @return 1 or more
   */
  public int leastStreams() {
    return streams.least();
  }

  /**
   * Returns how many streams there may be.
   *
   * @return 1 or more
   */
  public int mostStreams() {
    return streams.most();
  }

  StreamBounds streams() {
    return streams;
  }

  @Override
  public String toString() {
    return "MrdOptions[generation="
        + generation
        + ", ifGenerationMatch="
        + ifGenerationMatch
        + ", ifGenerationNotMatch="
        + ifGenerationNotMatch
        + ", ifMetagenerationMatch="
        + ifMetagenerationMatch
        + ", ifMetagenerationNotMatch="
        + ifMetagenerationNotMatch
        + ", readHandle="
        + readHandle
        + ", encryptionKey="
        + encryptionKey
        + ", headers="
        + headers.keySet()
        + ", retryPolicy="
        + retryPolicy
        + ", openTimeout="
        + openTimeout
        + ", stallTimeout="
        + stallTimeout
        + ", rangeTimeout="
        + rangeTimeout
        + ", streams="
        + streams.least()
        + " to "
        + streams.most()
        + "]";
  }
}
