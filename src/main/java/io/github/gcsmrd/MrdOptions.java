// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.stream.SessionLimits;
import io.github.gcsmrd.internal.transport.RequestHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

  private MrdOptions(Builder builder) {
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
  public static Builder builder() {
    return new Builder();
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
        + "]";
  }

  /** Collects options; not thread-safe. */
  public static final class Builder {
    private OptionalLong generation = OptionalLong.empty();
    private OptionalLong ifGenerationMatch = OptionalLong.empty();
    private OptionalLong ifGenerationNotMatch = OptionalLong.empty();
    private OptionalLong ifMetagenerationMatch = OptionalLong.empty();
    private OptionalLong ifMetagenerationNotMatch = OptionalLong.empty();
    private Optional<ReadHandle> readHandle = Optional.empty();
    private Optional<EncryptionKey> encryptionKey = Optional.empty();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private RetryPolicy retryPolicy = RetryPolicy.exponential();
    private Duration openTimeout = DEFAULT_OPEN_TIMEOUT;
    private Duration stallTimeout = DEFAULT_STALL_TIMEOUT;
    private Duration rangeTimeout = DEFAULT_RANGE_TIMEOUT;

    private Builder() {}

    /**
     * Reads one generation.
     *
     * @param generation more than 0
     * @return this builder
     * @throws IllegalArgumentException if it is not
     */
    public Builder generation(long generation) {
      this.generation = OptionalLong.of(Checks.generation(generation));
      return this;
    }

    /**
     * Requires a generation.
     *
     * @param generation the generation; 0 requires that there is no live version
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder ifGenerationMatch(long generation) {
      this.ifGenerationMatch = OptionalLong.of(Checks.notNegative(generation, "ifGenerationMatch"));
      return this;
    }

    /**
     * Excludes a generation.
     *
     * @param generation the generation; 0 requires that there is a live version
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder ifGenerationNotMatch(long generation) {
      this.ifGenerationNotMatch =
          OptionalLong.of(Checks.notNegative(generation, "ifGenerationNotMatch"));
      return this;
    }

    /**
     * Requires a metageneration at the first open; a later update of the metadata doesn't end the
     * session.
     *
     * @param metageneration the metageneration
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder ifMetagenerationMatch(long metageneration) {
      this.ifMetagenerationMatch =
          OptionalLong.of(Checks.notNegative(metageneration, "ifMetagenerationMatch"));
      return this;
    }

    /**
     * Excludes a metageneration at the first open.
     *
     * @param metageneration the metageneration
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder ifMetagenerationNotMatch(long metageneration) {
      this.ifMetagenerationNotMatch =
          OptionalLong.of(Checks.notNegative(metageneration, "ifMetagenerationNotMatch"));
      return this;
    }

    /**
     * Opens with a handle of an earlier session. Its generation, if known, is pinned.
     *
     * @param readHandle the handle, of the same bucket and object
     * @return this builder
     */
    public Builder readHandle(ReadHandle readHandle) {
      this.readHandle = Optional.of(Objects.requireNonNull(readHandle, "readHandle"));
      return this;
    }

    /**
     * Decrypts with a customer-supplied key.
     *
     * @param encryptionKey the key under which the object was written
     * @return this builder
     */
    public Builder encryptionKey(EncryptionKey encryptionKey) {
      this.encryptionKey = Optional.of(Objects.requireNonNull(encryptionKey, "encryptionKey"));
      return this;
    }

    /**
     * Adds a header to each open.
     *
     * @param name a header name: letters, digits and -_. ; not one that this library or gRPC sets
     * @param value printable ASCII
     * @return this builder
     * @throws IllegalArgumentException if either can't be sent
     */
    public Builder header(String name, String value) {
      String lower = Objects.requireNonNull(name, "name").toLowerCase(Locale.ROOT);
      Objects.requireNonNull(value, "value");
      RequestHeaders.requireUsable(lower, value);
      headers.put(lower, value);
      return this;
    }

    /**
     * Sets the policy that decides on reopening a stream.
     *
     * @param retryPolicy {@link RetryPolicy#exponential()} by default
     * @return this builder
     */
    public Builder retryPolicy(RetryPolicy retryPolicy) {
      this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
      return this;
    }

    /**
     * Limits an attempt to open.
     *
     * @param limit more than zero, 20 s by default
     * @return this builder
     */
    public Builder openTimeout(Duration limit) {
      this.openTimeout = Checks.positive(limit, "openTimeout");
      return this;
    }

    /**
     * Limits the silence of a stream while ranges wait; then it is opened again.
     *
     * @param limit more than zero, 30 s by default
     * @return this builder
     */
    public Builder stallTimeout(Duration limit) {
      this.stallTimeout = Checks.positive(limit, "stallTimeout");
      return this;
    }

    /**
     * Limits how long a range may get nothing while its stream is alive; then it fails.
     *
     * @param limit more than zero, 10 min by default
     * @return this builder
     */
    public Builder rangeTimeout(Duration limit) {
      this.rangeTimeout = Checks.positive(limit, "rangeTimeout");
      return this;
    }

    /**
     * Returns the options.
     *
     * @return an immutable copy
     * @throws IllegalArgumentException if generation and the handle's generation differ
     */
    public MrdOptions build() {
      OptionalLong ofHandle = readHandle.map(ReadHandle::generation).orElse(OptionalLong.empty());
      if (generation.isPresent() && ofHandle.isPresent() && !generation.equals(ofHandle)) {
        throw new IllegalArgumentException(
            "generation "
                + generation.getAsLong()
                + " differs from that of readHandle, "
                + ofHandle.getAsLong());
      }
      return new MrdOptions(this);
    }
  }
}
