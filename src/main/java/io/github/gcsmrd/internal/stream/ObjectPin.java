// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.internal.read.WholeObject;
import io.github.gcsmrd.internal.wire.OpenSpec;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a session knows of its object, and so with what a stream is opened: the generation is pinned
 * once known, the newest handle and token are kept until better ones come. Confined to the loop.
 */
final class ObjectPin {
  private final SessionConfig config;
  private OptionalLong generation;
  private Optional<byte[]> readHandle;
  private Optional<String> routingToken = Optional.empty();
  private @Nullable ObjectInfo info;
  private WholeObject whole;
  private boolean onceOpen;
  private boolean handleRefused;
  private boolean delivered;
  private boolean deliveredUnpinned;

  /**
   * What is known before anything was opened.
   *
   * @param known what another stream of the object brought
   */
  ObjectPin(SessionConfig config, Optional<ObjectInfo> known) {
    this.config = config;
    this.generation = config.generation();
    this.readHandle = config.readHandle();
    this.info = known.orElse(null);
    this.whole = known.map(WholeObject::of).orElse(WholeObject.UNKNOWN);
  }

  /** The spec of the next first message. */
  OpenSpec spec() {
    boolean first = !onceOpen;
    return new OpenSpec(
        config.bucket(),
        config.object(),
        generation.orElse(0),
        config.ifGenerationMatch(),
        config.ifGenerationNotMatch(),
        // A metadata update must not end a running read: the generation is pinned by then.
        first ? config.ifMetagenerationMatch() : OptionalLong.empty(),
        first ? config.ifMetagenerationNotMatch() : OptionalLong.empty(),
        readHandle,
        routingToken,
        config.key());
  }

  /**
   * Takes metadata from an answer.
   *
   * @return whether it is of the generation that is read; if not, nothing of it was taken
   */
  boolean accept(ObjectInfo answer) {
    if (generation.isPresent()
        && answer.generation().isPresent()
        && generation.getAsLong() != answer.generation().getAsLong()) {
      return false;
    }
    if (generation.isEmpty()) {
      if (deliveredUnpinned) {
        return false;
      }
      generation = answer.generation();
    }
    info = named(answer);
    whole = WholeObject.of(answer);
    return true;
  }

  /** A stream answered. */
  void opened() {
    onceOpen = true;
  }

  /** Bytes were delivered: with the present handle, or none, things go well. */
  void delivered() {
    delivered = true;
    handleRefused = false;
  }

  /** A stream ended: if nobody knows what generation it read, none may follow it. */
  void streamEnded() {
    deliveredUnpinned |= delivered && generation.isEmpty();
  }

  /** Takes a newer handle. */
  void handle(byte[] handle) {
    readHandle = Optional.of(handle);
  }

  /** Takes from a redirect what it brings; what it doesn't is kept. */
  void redirected(StreamEnd.Redirect redirect) {
    redirect.routingToken().ifPresent(token -> routingToken = Optional.of(token));
    redirect.readHandle().filter(handle -> handle.length > 0).ifPresent(this::handle);
  }

  /**
   * The service refused an open: whether it may be tried without the handle. Once only without
   * progress, and not when bytes of a generation were delivered that nobody knows.
   */
  boolean dropHandle() {
    if (readHandle.isEmpty() || handleRefused || deliveredUnpinned) {
      return false;
    }
    handleRefused = true;
    readHandle = Optional.empty();
    return true;
  }

  Optional<byte[]> readHandle() {
    return readHandle;
  }

  Optional<String> routingToken() {
    return routingToken;
  }

  OptionalLong generation() {
    return generation;
  }

  /** What is known of the object's end. */
  WholeObject whole() {
    return whole;
  }

  /** Whether metadata came. */
  boolean hasInfo() {
    return info != null;
  }

  /** The metadata, or what is known without it. */
  ObjectInfo info() {
    ObjectInfo known = info;
    return known != null
        ? known
        : new ObjectInfo(
            config.bucket(),
            config.object(),
            generation,
            OptionalLong.empty(),
            OptionalLong.empty(),
            "",
            OptionalInt.empty(),
            Optional.empty(),
            "");
  }

  /** The answer under the names asked for, whatever form the service gives them. */
  private ObjectInfo named(ObjectInfo answer) {
    return new ObjectInfo(
        config.bucket(),
        config.object(),
        generation,
        answer.metageneration(),
        answer.sizeBytes(),
        answer.contentEncoding(),
        answer.crc32c(),
        answer.finalizeTime(),
        answer.etag());
  }
}
