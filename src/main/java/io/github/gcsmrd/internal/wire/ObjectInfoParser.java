// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Timestamp;
import com.google.storage.v2.ObjectChecksums;
import io.github.gcsmrd.ObjectInfo;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Parses an object's metadata with protobuf's generated class, from a copy: it comes once a stream,
 * and outlives its message. Confined to one parse.
 */
final class ObjectInfoParser {
  private static final String BUCKET_PREFIX = "projects/_/buckets/";

  private final com.google.storage.v2.Object.Builder object =
      com.google.storage.v2.Object.newBuilder();

  /** Merges the embedded message whose length comes next into what came before. */
  void merge(FragmentCursor cursor) throws MalformedException {
    int begin = cursor.position();
    CodedInputStream copy = CodedInputStream.newInstance(cursor.readBytes());
    // The nesting that is allowed counts from the outermost message.
    copy.setRecursionLimit(FragmentCursor.MAX_DEPTH - cursor.depth() - 1);
    try {
      object.mergeFrom(copy, ExtensionRegistryLite.getEmptyRegistry());
      copy.checkLastTagWas(0);
    } catch (IOException e) {
      throw new MalformedException("metadata: " + e.getMessage(), begin);
    }
  }

  ObjectInfo result() {
    return new ObjectInfo(
        bucketName(object.getBucket()),
        object.getName(),
        known(object.getGeneration()),
        known(object.getMetageneration()),
        object.getSize() < 0 ? OptionalLong.empty() : OptionalLong.of(object.getSize()),
        object.getContentEncoding(),
        crc32c(object.getChecksums()),
        object.hasFinalizeTime()
            ? Optional.of(instant(object.getFinalizeTime()))
            : Optional.empty(),
        object.getEtag());
  }

  private static String bucketName(String resource) {
    return resource.startsWith(BUCKET_PREFIX)
        ? resource.substring(BUCKET_PREFIX.length())
        : resource;
  }

  private static OptionalLong known(long number) {
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  private static OptionalInt crc32c(ObjectChecksums checksums) {
    return checksums.hasCrc32C() ? OptionalInt.of(checksums.getCrc32C()) : OptionalInt.empty();
  }

  /** A time that can't be is cut to one that can: that there is one says "finalized". */
  private static Instant instant(Timestamp time) {
    if (time.getSeconds() >= Instant.MAX.getEpochSecond()) {
      return Instant.MAX;
    }
    if (time.getSeconds() <= Instant.MIN.getEpochSecond()) {
      return Instant.MIN;
    }
    long nanos = Math.max(0, Math.min(999_999_999, time.getNanos()));
    return Instant.ofEpochSecond(time.getSeconds(), nanos);
  }
}
