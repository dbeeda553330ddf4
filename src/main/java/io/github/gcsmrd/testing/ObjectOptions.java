// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an object of {@link FakeGcs} is like besides its bytes. Immutable and thread-safe.
 *
 * <p>Default: finalized, no content encoding, no encryption key, metageneration 1, the next free
 * generation, and the right CRC32C in the metadata if the object has at most {@link
 * #AUTOMATIC_CRC32C_LIMIT_BYTES}.
 */
public final class ObjectOptions {
  /** The largest object whose CRC32C is computed without being asked for: 64 MiB. */
  public static final long AUTOMATIC_CRC32C_LIMIT_BYTES = 64L << 20;

  private static final ObjectOptions DEFAULTS = builder().build();

  /** Where the CRC32C of the whole object in the metadata comes from. */
  enum Crc32cSource {
    AUTOMATIC,
    COMPUTED,
    GIVEN,
    ABSENT
  }

  private final OptionalLong generation;
  private final long metageneration;
  private final String contentEncoding;
  private final boolean appendable;
  private final Crc32cSource crc32cSource;
  private final int crc32c;
  private final Optional<Bytes> encryptionKey;

  private ObjectOptions(Builder builder) {
    generation = builder.generation;
    metageneration = builder.metageneration;
    contentEncoding = builder.contentEncoding;
    appendable = builder.appendable;
    crc32cSource = builder.crc32cSource;
    crc32c = builder.crc32c;
    encryptionKey = builder.encryptionKey;
  }

  /**
   * Returns the default options.
   *
   * @return the options that {@link #builder()} starts with
   */
  public static ObjectOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns a builder that starts with the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  OptionalLong generation() {
    return generation;
  }

  long metageneration() {
    return metageneration;
  }

  String contentEncoding() {
    return contentEncoding;
  }

  boolean appendable() {
    return appendable;
  }

  Crc32cSource crc32cSource() {
    return crc32cSource;
  }

  OptionalInt givenCrc32c() {
    return crc32cSource == Crc32cSource.GIVEN ? OptionalInt.of(crc32c) : OptionalInt.empty();
  }

  Optional<Bytes> encryptionKey() {
    return encryptionKey;
  }

  /** Builds {@link ObjectOptions}. Not thread-safe. */
  public static final class Builder {
    private OptionalLong generation = OptionalLong.empty();
    private long metageneration = 1;
    private String contentEncoding = "";
    private boolean appendable;
    private Crc32cSource crc32cSource = Crc32cSource.AUTOMATIC;
    private int crc32c;
    private Optional<Bytes> encryptionKey = Optional.empty();

    private Builder() {}

    /**
     * Sets the object's generation.
     *
     * @param generation more than 0
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder generation(long generation) {
      if (generation <= 0) {
        throw new IllegalArgumentException("generation is not positive: " + generation);
      }
      this.generation = OptionalLong.of(generation);
      return this;
    }

    /**
     * Sets the version of the object's metadata.
     *
     * @param metageneration the version, 1 by default
     * @return this
     */
    public Builder metageneration(long metageneration) {
      this.metageneration = metageneration;
      return this;
    }

    /**
     * Sets the content encoding; the bytes are sent as they are, whatever it says.
     *
     * @param contentEncoding for example {@code gzip}; empty by default
     * @return this
     */
    public Builder contentEncoding(String contentEncoding) {
      this.contentEncoding = contentEncoding;
      return this;
    }

    /**
     * Makes the object one that is not finalized yet: no finalize time, and {@link
     * FakeObject#append} works.
     *
     * @return this
     */
    public Builder appendable() {
      appendable = true;
      return this;
    }

    /**
     * Puts a given CRC32C of the whole object into the metadata, right or wrong.
     *
     * @param crc32c the value
     * @return this
     */
    public Builder crc32c(int crc32c) {
      this.crc32c = crc32c;
      crc32cSource = Crc32cSource.GIVEN;
      return this;
    }

    /**
     * Puts the right CRC32C of the whole object into the metadata, however large the object is.
     *
     * @return this
     */
    public Builder computedCrc32c() {
      crc32cSource = Crc32cSource.COMPUTED;
      return this;
    }

    /**
     * Leaves the CRC32C of the whole object out of the metadata.
     *
     * @return this
     */
    public Builder withoutCrc32c() {
      crc32cSource = Crc32cSource.ABSENT;
      return this;
    }

    /**
     * Encrypts the object with a key of the customer: who opens it must bring that key.
     *
     * @param key the AES-256 key; copied
     * @return this
     * @throws IllegalArgumentException if the key is not 32 bytes long
     */
    public Builder encryptionKey(byte[] key) {
      if (key.length != 32) {
        throw new IllegalArgumentException("an AES-256 key has 32 bytes, not " + key.length);
      }
      encryptionKey = Optional.of(Bytes.of(key));
      return this;
    }

    /**
     * Builds the options.
     *
     * @return the options
     */
    public ObjectOptions build() {
      return new ObjectOptions(this);
    }
  }
}
