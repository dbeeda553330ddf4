// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/** Encodes one {@code BidiReadObjectSpec}. Confined to one encoding. */
final class SpecEncoder {
  private static final int BUCKET = 1;
  private static final int OBJECT = 2;
  private static final int GENERATION = 3;
  private static final int IF_GENERATION_MATCH = 4;
  private static final int IF_GENERATION_NOT_MATCH = 5;
  private static final int IF_METAGENERATION_MATCH = 6;
  private static final int IF_METAGENERATION_NOT_MATCH = 7;
  private static final int COMMON_OBJECT_REQUEST_PARAMS = 8;
  private static final int READ_HANDLE = 13;
  private static final int ROUTING_TOKEN = 14;

  private static final int ENCRYPTION_ALGORITHM = 1;
  private static final int ENCRYPTION_KEY = 4;
  private static final int ENCRYPTION_KEY_SHA256 = 5;
  private static final int HANDLE = 1;

  private static final byte[] AES256 = "AES256".getBytes(US_ASCII);

  private final OpenSpec spec;
  private final byte[] bucket;
  private final byte[] object;
  private final Optional<byte[]> routingToken;
  private final int size;

  SpecEncoder(OpenSpec spec) {
    this.spec = spec;
    this.bucket = ("projects/_/buckets/" + spec.bucket()).getBytes(UTF_8);
    this.object = spec.object().getBytes(UTF_8);
    this.routingToken = spec.routingToken().map(token -> token.getBytes(UTF_8));
    this.size = computeSize();
  }

  /** How many bytes {@link #writeTo} writes. */
  int size() {
    return size;
  }

  private int computeSize() {
    int sum = WireWriter.bytesSize(BUCKET, bucket);
    sum += WireWriter.bytesSize(OBJECT, object);
    sum += WireWriter.integerSize(GENERATION, spec.generation());
    sum += WireWriter.integerSize(IF_GENERATION_MATCH, spec.ifGenerationMatch());
    sum += WireWriter.integerSize(IF_GENERATION_NOT_MATCH, spec.ifGenerationNotMatch());
    sum += WireWriter.integerSize(IF_METAGENERATION_MATCH, spec.ifMetagenerationMatch());
    sum += WireWriter.integerSize(IF_METAGENERATION_NOT_MATCH, spec.ifMetagenerationNotMatch());
    if (spec.key().isPresent()) {
      int keySize = keySize(spec.key().get());
      sum += WireWriter.messageSize(COMMON_OBJECT_REQUEST_PARAMS, keySize);
    }
    if (spec.readHandle().isPresent()) {
      int handleSize = WireWriter.bytesSize(HANDLE, spec.readHandle().get());
      sum += WireWriter.messageSize(READ_HANDLE, handleSize);
    }
    if (routingToken.isPresent()) {
      sum += WireWriter.messageSize(ROUTING_TOKEN, routingToken.get().length);
    }
    return sum;
  }

  private static int keySize(EncryptionKeyBytes key) {
    return WireWriter.bytesSize(ENCRYPTION_ALGORITHM, AES256)
        + WireWriter.bytesSize(ENCRYPTION_KEY, key.key())
        + WireWriter.bytesSize(ENCRYPTION_KEY_SHA256, key.sha256());
  }

  void writeTo(WireWriter writer) {
    writer.bytes(BUCKET, bucket);
    writer.bytes(OBJECT, object);
    writer.integer(GENERATION, spec.generation());
    writer.integer(IF_GENERATION_MATCH, spec.ifGenerationMatch());
    writer.integer(IF_GENERATION_NOT_MATCH, spec.ifGenerationNotMatch());
    writer.integer(IF_METAGENERATION_MATCH, spec.ifMetagenerationMatch());
    writer.integer(IF_METAGENERATION_NOT_MATCH, spec.ifMetagenerationNotMatch());
    spec.key().ifPresent(key -> writeKey(key, writer));
    spec.readHandle().ifPresent(handle -> writeHandle(handle, writer));
    routingToken.ifPresent(token -> writer.presentBytes(ROUTING_TOKEN, token));
  }

  private static void writeKey(EncryptionKeyBytes key, WireWriter writer) {
    writer.message(COMMON_OBJECT_REQUEST_PARAMS, keySize(key));
    writer.bytes(ENCRYPTION_ALGORITHM, AES256);
    writer.bytes(ENCRYPTION_KEY, key.key());
    writer.bytes(ENCRYPTION_KEY_SHA256, key.sha256());
  }

  private static void writeHandle(byte[] handle, WireWriter writer) {
    writer.message(READ_HANDLE, WireWriter.bytesSize(HANDLE, handle));
    writer.bytes(HANDLE, handle);
  }
}
