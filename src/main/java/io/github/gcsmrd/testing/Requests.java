// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectSpec;
import com.google.storage.v2.CommonObjectRequestParams;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.StreamRecord.EncryptionKey;
import io.github.gcsmrd.testing.StreamRecord.Message;
import io.github.gcsmrd.testing.StreamRecord.Range;
import io.github.gcsmrd.testing.StreamRecord.Spec;
import io.grpc.Metadata;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Decodes requests for the records and judges specs. Stateless and thread-safe. */
final class Requests {
  private static final int MAX_RANGES_PER_MESSAGE = 100;

  private Requests() {}

  /**
   * Why a request is refused.
   *
   * @param code the status
   * @param message the status' message
   */
  record Refusal(StatusCode code, String message) {}

  static Map<String, List<String>> headers(Metadata metadata) {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String name : metadata.keys()) {
      List<String> values = new ArrayList<>();
      if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        Metadata.Key<byte[]> key = Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
        all(metadata, key).forEach(v -> values.add(Base64.getEncoder().encodeToString(v)));
      } else {
        all(metadata, Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)).forEach(values::add);
      }
      headers.put(name, List.copyOf(values));
    }
    return Collections.unmodifiableMap(headers);
  }

  private static <T> Iterable<T> all(Metadata metadata, Metadata.Key<T> key) {
    Iterable<T> values = metadata.getAll(key);
    return values == null ? List.of() : values;
  }

  static Message message(BidiReadObjectRequest request) {
    List<Range> ranges = new ArrayList<>(request.getReadRangesCount());
    for (ReadRange range : request.getReadRangesList()) {
      ranges.add(new Range(range.getReadOffset(), range.getReadLength(), range.getReadId()));
    }
    return new Message(request.hasReadObjectSpec(), List.copyOf(ranges), System.nanoTime());
  }

  static Spec spec(BidiReadObjectSpec spec) {
    return new Spec(
        spec.getBucket(),
        spec.getObject(),
        spec.getGeneration(),
        present(spec.hasIfGenerationMatch(), spec.getIfGenerationMatch()),
        present(spec.hasIfGenerationNotMatch(), spec.getIfGenerationNotMatch()),
        present(spec.hasIfMetagenerationMatch(), spec.getIfMetagenerationMatch()),
        present(spec.hasIfMetagenerationNotMatch(), spec.getIfMetagenerationNotMatch()),
        spec.hasReadHandle()
            ? Optional.of(Bytes.of(spec.getReadHandle().getHandle().toByteArray()))
            : Optional.empty(),
        spec.hasRoutingToken() ? Optional.of(spec.getRoutingToken()) : Optional.empty(),
        encryptionKey(spec));
  }

  private static OptionalLong present(boolean isPresent, long value) {
    return isPresent ? OptionalLong.of(value) : OptionalLong.empty();
  }

  private static Optional<EncryptionKey> encryptionKey(BidiReadObjectSpec spec) {
    CommonObjectRequestParams params = spec.getCommonObjectRequestParams();
    if (params.getEncryptionKeyBytes().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new EncryptionKey(
            params.getEncryptionAlgorithm(),
            Bytes.of(params.getEncryptionKeyBytes().toByteArray()),
            Bytes.of(params.getEncryptionKeySha256Bytes().toByteArray())));
  }

  /** Finds what a client must never do, whatever the object. */
  static Optional<Refusal> protocolError(Message message, boolean first) {
    if (first != message.hasSpec()) {
      return refuse(
          StatusCode.INVALID_ARGUMENT,
          first
              ? "the first message has no read_object_spec"
              : "a message after the first has a read_object_spec");
    }
    if (message.ranges().size() > MAX_RANGES_PER_MESSAGE) {
      return refuse(
          StatusCode.INVALID_ARGUMENT, message.ranges().size() + " ranges in one message");
    }
    return Optional.empty();
  }

  /** Judges a spec against the object that it names. */
  static Optional<Refusal> judge(Spec spec, Optional<FakeObject> found) {
    if (found.isEmpty()) {
      return refuse(
          StatusCode.NOT_FOUND, "no object " + spec.object() + " in bucket " + spec.bucket());
    }
    FakeObject object = found.get();
    if (spec.generation() != 0 && spec.generation() != object.generation()) {
      return refuse(
          StatusCode.NOT_FOUND, "no generation " + spec.generation() + " of " + spec.object());
    }
    if (!preconditionsHold(spec, object)) {
      return refuse(StatusCode.FAILED_PRECONDITION, "a precondition does not hold for " + object);
    }
    if (!keyFits(spec.encryptionKey(), object.options().encryptionKey())) {
      return refuse(StatusCode.INVALID_ARGUMENT, "the encryption key does not fit " + object);
    }
    return Optional.empty();
  }

  private static boolean preconditionsHold(Spec spec, FakeObject object) {
    long generation = object.generation();
    long metageneration = object.metageneration();
    return spec.ifGenerationMatch().orElse(generation) == generation
        && spec.ifMetagenerationMatch().orElse(metageneration) == metageneration
        && differs(spec.ifGenerationNotMatch(), generation)
        && differs(spec.ifMetagenerationNotMatch(), metageneration);
  }

  private static boolean differs(OptionalLong unwanted, long actual) {
    return unwanted.isEmpty() || unwanted.getAsLong() != actual;
  }

  private static boolean keyFits(Optional<EncryptionKey> sent, Optional<Bytes> wanted) {
    if (sent.isEmpty() || wanted.isEmpty()) {
      return sent.isEmpty() && wanted.isEmpty();
    }
    EncryptionKey key = sent.get();
    return key.algorithm().equals("AES256")
        && key.key().equals(wanted.get())
        && key.sha256().equals(sha256(wanted.get()));
  }

  private static Bytes sha256(Bytes bytes) {
    try {
      return Bytes.of(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }

  private static Optional<Refusal> refuse(StatusCode code, String message) {
    return Optional.of(new Refusal(code, message));
  }
}
