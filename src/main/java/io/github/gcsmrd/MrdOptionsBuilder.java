// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.stream.StreamBounds;
import io.github.gcsmrd.internal.transport.RequestHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Collects the options of a session; made by {@link MrdOptions#builder}. Not thread-safe. */
public final class MrdOptionsBuilder {
  OptionalLong generation = OptionalLong.empty();
  OptionalLong ifGenerationMatch = OptionalLong.empty();
  OptionalLong ifGenerationNotMatch = OptionalLong.empty();
  OptionalLong ifMetagenerationMatch = OptionalLong.empty();
  OptionalLong ifMetagenerationNotMatch = OptionalLong.empty();
  Optional<ReadHandle> readHandle = Optional.empty();
  Optional<EncryptionKey> encryptionKey = Optional.empty();
  final Map<String, String> headers = new LinkedHashMap<>();
  RetryPolicy retryPolicy = RetryPolicy.exponential();
  Duration openTimeout = MrdOptions.DEFAULT_OPEN_TIMEOUT;
  Duration stallTimeout = MrdOptions.DEFAULT_STALL_TIMEOUT;
  Duration rangeTimeout = MrdOptions.DEFAULT_RANGE_TIMEOUT;
  StreamBounds streams = StreamBounds.ONE;

  MrdOptionsBuilder() {}

  /**
   * Reads one generation.
   *
   * @param generation more than 0
   * @return this builder
   * @throws IllegalArgumentException if it is not
   */
  public MrdOptionsBuilder generation(long generation) {
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
  public MrdOptionsBuilder ifGenerationMatch(long generation) {
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
  public MrdOptionsBuilder ifGenerationNotMatch(long generation) {
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
  public MrdOptionsBuilder ifMetagenerationMatch(long metageneration) {
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
  public MrdOptionsBuilder ifMetagenerationNotMatch(long metageneration) {
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
  public MrdOptionsBuilder readHandle(ReadHandle readHandle) {
    this.readHandle = Optional.of(Objects.requireNonNull(readHandle, "readHandle"));
    return this;
  }

  /**
   * Decrypts with a customer-supplied key.
   *
   * @param encryptionKey the key under which the object was written
   * @return this builder
   */
  public MrdOptionsBuilder encryptionKey(EncryptionKey encryptionKey) {
    this.encryptionKey = Optional.of(Objects.requireNonNull(encryptionKey, "encryptionKey"));
    return this;
  }

  /**
   * Adds a header to each open.
   *
   * @param name a header name: letters, digits and -_. ; not one that this library or gRPC sets,
   *     nor one that HTTP/2 forbids, such as {@code connection}
   * @param value printable ASCII
   * @return this builder
   * @throws IllegalArgumentException if either can't be sent
   */
  public MrdOptionsBuilder header(String name, String value) {
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
  public MrdOptionsBuilder retryPolicy(RetryPolicy retryPolicy) {
    this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
    return this;
  }

  /**
   * Limits an attempt to open.
   *
   * @param limit more than zero, 20 s by default
   * @return this builder
   */
  public MrdOptionsBuilder openTimeout(Duration limit) {
    this.openTimeout = Checks.positive(limit, "openTimeout");
    return this;
  }

  /**
   * Limits the silence of a stream while ranges wait; then it is opened again.
   *
   * @param limit more than zero, 30 s by default
   * @return this builder
   */
  public MrdOptionsBuilder stallTimeout(Duration limit) {
    this.stallTimeout = Checks.positive(limit, "stallTimeout");
    return this;
  }

  /**
   * Limits how long a range may get nothing while its stream is alive; then it fails.
   *
   * @param limit more than zero, 10 min by default
   * @return this builder
   */
  public MrdOptionsBuilder rangeTimeout(Duration limit) {
    this.rangeTimeout = Checks.positive(limit, "rangeTimeout");
    return this;
  }

  /**
   * Sets over how many streams the object is read. The first is opened at once; the others when the
   * object is open and there is enough to do for them (8 MiB or about a hundred ranges each), on
   * the client's connections and event loops in turn. Those beyond the least are closed after 60 s
   * without a range. Ranges go to the stream with the least to do; if a stream breaks, those that
   * wait on it go to others.
   *
   * <p>Sinks that may block and subscribers stay on the event loop of the first stream.
   *
   * @param least how many are kept open, 1 by default
   * @param most how many there may be, at least as many, 100 at most, 1 by default
   * @return this builder
   * @throws IllegalArgumentException if they are out of range
   */
  public MrdOptionsBuilder streams(int least, int most) {
    Checks.inRange(least, 1, StreamBounds.MOST, "least");
    Checks.inRange(most, least, StreamBounds.MOST, "most");
    this.streams = new StreamBounds(least, most);
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
