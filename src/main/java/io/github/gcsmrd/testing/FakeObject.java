// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * One generation of an object that {@link FakeGcs} serves. Thread-safe.
 *
 * <p>Streams that were opened keep reading the generation they were opened on, also when the object
 * is replaced or deleted. A range's end is fixed when the server receives it; what is appended
 * later belongs to ranges asked for later.
 */
public final class FakeObject {
  private final String bucket;
  private final String name;
  private final long generation;
  private final ObjectOptions options;
  private final Map<Integer, StreamScript> scripts = new HashMap<>();
  private ObjectContent content;
  private Optional<Instant> finalizeTime;
  private OptionalInt computedCrc32c = OptionalInt.empty();
  private long metageneration;
  private int opens;

  FakeObject(
      String bucket, String name, long generation, ObjectContent content, ObjectOptions options) {
    this.bucket = bucket;
    this.name = name;
    this.generation = generation;
    this.content = content;
    this.options = options;
    metageneration = options.metageneration();
    finalizeTime = options.appendable() ? Optional.empty() : Optional.of(Instant.EPOCH);
  }

  /**
   * Returns the bucket's name.
   *
   * @return the name without {@code projects/_/buckets/}
   */
  public String bucket() {
    return bucket;
  }

  /**
   * Returns the object's name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Returns the generation.
   *
   * @return more than 0
   */
  public long generation() {
    return generation;
  }

  /**
   * Returns the version of the metadata.
   *
   * @return the version now
   */
  public synchronized long metageneration() {
    return metageneration;
  }

  /** Raises the version of the metadata by one, as an update of the metadata does. */
  public synchronized void updateMetadata() {
    metageneration++;
  }

  /**
   * Returns the bytes as they are now.
   *
   * @return an immutable content
   */
  public synchronized ObjectContent content() {
    return content;
  }

  /**
   * Returns when the object was finalized.
   *
   * @return empty while bytes can still be appended
   */
  public synchronized Optional<Instant> finalizeTime() {
    return finalizeTime;
  }

  /**
   * Appends bytes.
   *
   * @param more the bytes; copied
   * @throws IllegalStateException if the object is finalized
   */
  public synchronized void append(byte[] more) {
    if (finalizeTime.isPresent()) {
      throw new IllegalStateException("gs://" + bucket + "/" + name + " is finalized");
    }
    content = AppendedContent.append(content, more);
    computedCrc32c = OptionalInt.empty();
  }

  /** Finalizes the object: nothing can be appended any more. Doing it again does nothing. */
  public synchronized void finalizeObject() {
    if (finalizeTime.isEmpty()) {
      finalizeTime = Optional.of(Instant.now());
    }
  }

  /**
   * Scripts one of the streams opened on this object. It takes the place of any script that the
   * server has for the stream, but for what the server's script did before the first message came.
   *
   * @param nth 1 for the first stream whose first message names this object, and so on
   * @param script what the server does
   * @return this
   */
  public synchronized FakeObject onStream(int nth, StreamScript script) {
    scripts.put(nth, script);
    return this;
  }

  /** Counts an open and returns its script, if there is one. */
  synchronized Optional<StreamScript> opened() {
    return Optional.ofNullable(scripts.get(++opens));
  }

  ObjectOptions options() {
    return options;
  }

  /**
   * Returns the CRC32C that the metadata tells of the whole object.
   *
   * @return empty if the metadata has none; see {@link ObjectOptions}
   */
  public synchronized OptionalInt crc32c() {
    return switch (options.crc32cSource()) {
      case GIVEN -> options.givenCrc32c();
      case ABSENT -> OptionalInt.empty();
      case COMPUTED -> compute();
      case AUTOMATIC ->
          finalizeTime.isPresent() && content.size() <= ObjectOptions.AUTOMATIC_CRC32C_LIMIT_BYTES
              ? compute()
              : OptionalInt.empty();
    };
  }

  private OptionalInt compute() {
    if (computedCrc32c.isEmpty()) {
      CRC32C crc = new CRC32C();
      byte[] piece = new byte[(int) Math.min(content.size(), 1 << 16)];
      for (long at = 0; at < content.size(); at += piece.length) {
        int length = (int) Math.min(piece.length, content.size() - at);
        content.read(at, piece, 0, length);
        crc.update(piece, 0, length);
      }
      computedCrc32c = OptionalInt.of((int) crc.getValue());
    }
    return computedCrc32c;
  }

  @Override
  public String toString() {
    return "gs://" + bucket + "/" + name + "#" + generation;
  }
}
