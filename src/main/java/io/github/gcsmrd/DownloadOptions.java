// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Options of one call of {@link MultiRangeDownloader#downloadRanges}. Immutable, thread-safe. */
public final class DownloadOptions {
  private static final DownloadOptions DEFAULTS = builder().build();

  private final Checksums checksums;
  private final Optional<Duration> timeout;

  private DownloadOptions(Builder builder) {
    this.checksums = builder.checksums;
    this.timeout = builder.timeout;
  }

  /**
   * Returns the defaults: checksums on, no time limit of its own.
   *
   * @return the options
   */
  public static DownloadOptions defaults() {
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
   * Returns whether the bytes are checked.
   *
   * @return {@link Checksums#ON} by default
   */
  public Checksums checksums() {
    return checksums;
  }

  /**
   * Returns how long the call may take from its submission.
   *
   * @return the limit; empty, the default, for none
   */
  public Optional<Duration> timeout() {
    return timeout;
  }

  @Override
  public String toString() {
    return "DownloadOptions[checksums=" + checksums + ", timeout=" + timeout + "]";
  }

  /** Collects options; not thread-safe. */
  public static final class Builder {
    private Checksums checksums = Checksums.ON;
    private Optional<Duration> timeout = Optional.empty();

    private Builder() {}

    /**
     * Sets whether the bytes are checked.
     *
     * @param checksums on (the default) or off
     * @return this builder
     */
    public Builder checksums(Checksums checksums) {
      this.checksums = Objects.requireNonNull(checksums, "checksums");
      return this;
    }

    /**
     * Limits the time of the call: ranges unfinished by then fail with {@link
     * RangeTimeoutException}; the session and its other calls go on.
     *
     * @param timeout the limit, more than zero
     * @return this builder
     * @throws IllegalArgumentException if it is zero or negative
     */
    public Builder timeout(Duration timeout) {
      this.timeout = Optional.of(Checks.positive(timeout, "timeout"));
      return this;
    }

    /**
     * Returns the options.
     *
     * @return an immutable copy
     */
    public DownloadOptions build() {
      return new DownloadOptions(this);
    }
  }
}
