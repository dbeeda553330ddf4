// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What {@link FakeGcs} does otherwise than usual on a stream. Immutable and thread-safe; one script
 * can serve any number of streams.
 *
 * <p>Each step of {@link Builder#at} happens once per stream. Steps whose moment has come happen in
 * the order of the script; a step that holds the stream holds the later ones too.
 */
public final class StreamScript {
  private static final StreamScript NOTHING = builder().build();

  /** In which order pending ranges are answered. */
  public enum Order {
    /** A chunk of each pending range in turn. The default. */
    INTERLEAVED,
    /** A chunk of each range of a message in turn; the next message when all of them are done. */
    BY_MESSAGE,
    /** One range after the other. */
    SEQUENTIAL
  }

  /** When metadata is in the first response. */
  enum MetadataRule {
    UNLESS_HANDLE,
    ALWAYS,
    NEVER
  }

  /**
   * A step of a script.
   *
   * @param when its moment
   * @param action what is done
   */
  record Step(When when, StreamAction action) {}

  final List<Step> steps;
  final Order order;
  final int piecesPerResponse;
  final OptionalInt chunkBytes;
  final MetadataRule metadataRule;
  final OptionalLong metadataGeneration;
  final Optional<Bytes> readHandle;
  final boolean withReadHandle;
  final RangeErrorListing rangeErrorListing;
  final Optional<RangeScript> ranges;

  private StreamScript(Builder builder) {
    steps = List.copyOf(builder.steps);
    order = builder.order;
    piecesPerResponse = builder.piecesPerResponse;
    chunkBytes = builder.chunkBytes;
    metadataRule = builder.metadataRule;
    metadataGeneration = builder.metadataGeneration;
    readHandle = builder.readHandle;
    withReadHandle = builder.withReadHandle;
    rangeErrorListing = builder.rangeErrorListing;
    ranges = builder.ranges;
  }

  /**
   * Returns the script of a stream that goes as usual.
   *
   * @return the script that {@link #builder()} starts with
   */
  public static StreamScript nothing() {
    return NOTHING;
  }

  /**
   * Returns a script of one step.
   *
   * @param when its moment
   * @param action what is done
   * @return the script
   */
  public static StreamScript at(When when, StreamAction action) {
    return builder().at(when, action).build();
  }

  /**
   * Returns a builder of a script that changes nothing yet.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a {@link StreamScript}. Not thread-safe. */
  public static final class Builder {
    private final List<Step> steps = new ArrayList<>();
    private Order order = Order.INTERLEAVED;
    private int piecesPerResponse = 1;
    private OptionalInt chunkBytes = OptionalInt.empty();
    private MetadataRule metadataRule = MetadataRule.UNLESS_HANDLE;
    private OptionalLong metadataGeneration = OptionalLong.empty();
    private Optional<Bytes> readHandle = Optional.empty();
    private boolean withReadHandle = true;
    private RangeErrorListing rangeErrorListing = RangeErrorListing.failedOnly();
    private Optional<RangeScript> ranges = Optional.empty();

    private Builder() {}

    /**
     * Adds a step.
     *
     * @param when its moment
     * @param action what is done then
     * @return this
     */
    public Builder at(When when, StreamAction action) {
      steps.add(
          new Step(Objects.requireNonNull(when, "when"), Objects.requireNonNull(action, "action")));
      return this;
    }

    /**
     * Sets the order in which pending ranges are answered.
     *
     * @param order the order
     * @return this
     */
    public Builder order(Order order) {
      this.order = Objects.requireNonNull(order, "order");
      return this;
    }

    /**
     * Packs several pieces into a response, as long as there are some to send: of different ranges
     * when they are interleaved, of one range twice when it is alone.
     *
     * @param count how many at most, 1 by default
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder piecesPerResponse(int count) {
      if (count <= 0) {
        throw new IllegalArgumentException("count is not positive: " + count);
      }
      piecesPerResponse = count;
      return this;
    }

    /**
     * Sets the chunk size of this stream.
     *
     * @param bytes the largest chunk, the server's by default
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder chunkBytes(int bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("bytes is not positive: " + bytes);
      }
      chunkBytes = OptionalInt.of(bytes);
      return this;
    }

    /**
     * Sends no metadata. By default it is in the first response, unless the spec has a read handle.
     *
     * @return this
     */
    public Builder withoutMetadata() {
      metadataRule = MetadataRule.NEVER;
      return this;
    }

    /**
     * Sends metadata in the first response even if the spec has a read handle.
     *
     * @return this
     */
    public Builder metadataEvenWithHandle() {
      metadataRule = MetadataRule.ALWAYS;
      return this;
    }

    /**
     * Lies about the generation in the metadata, and sends metadata in any case.
     *
     * @param generation the generation to tell
     * @return this
     */
    public Builder metadataGeneration(long generation) {
      metadataGeneration = OptionalLong.of(generation);
      metadataRule = MetadataRule.ALWAYS;
      return this;
    }

    /**
     * Sets the read handle in the first response.
     *
     * @param handle the handle; copied
     * @return this
     */
    public Builder readHandle(byte[] handle) {
      readHandle = Optional.of(Bytes.of(handle));
      return this;
    }

    /**
     * Sends no read handle in the first response.
     *
     * @return this
     */
    public Builder withoutReadHandle() {
      withReadHandle = false;
      return this;
    }

    /**
     * Sets what the details list when a range's error ends the stream.
     *
     * @param listing the listing, {@link RangeErrorListing#failedOnly()} by default
     * @return this
     */
    public Builder rangeErrors(RangeErrorListing listing) {
      rangeErrorListing = Objects.requireNonNull(listing, "listing");
      return this;
    }

    /**
     * Sets the script of all ranges of this stream for which the server has no other.
     *
     * @param script the script
     * @return this
     */
    public Builder ranges(RangeScript script) {
      ranges = Optional.of(script);
      return this;
    }

    /**
     * Builds the script.
     *
     * @return the script
     */
    public StreamScript build() {
      return new StreamScript(this);
    }
  }
}
