// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The live objects of the server. Thread-safe: all methods hold its monitor. */
final class ObjectStore {
  private static final String BUCKET_PREFIX = "projects/_/buckets/";

  private final Map<Name, FakeObject> objects = new HashMap<>();
  private final Map<Name, Long> lastGenerations = new HashMap<>();

  synchronized FakeObject put(
      String bucket, String object, ObjectContent content, ObjectOptions options) {
    Name name = new Name(bucket, object);
    long next = lastGenerations.getOrDefault(name, 0L) + 1;
    long generation = options.generation().orElse(next);
    FakeObject stored = new FakeObject(bucket, object, generation, content, options);
    objects.put(name, stored);
    lastGenerations.put(name, Math.max(generation, next - 1));
    return stored;
  }

  synchronized boolean delete(String bucket, String object) {
    return objects.remove(new Name(bucket, object)) != null;
  }

  /** Finds the live generation of an object by its bucket's name as it is on the wire. */
  synchronized Optional<FakeObject> find(String bucketResource, String object) {
    if (!bucketResource.startsWith(BUCKET_PREFIX)) {
      return Optional.empty();
    }
    String bucket = bucketResource.substring(BUCKET_PREFIX.length());
    return Optional.ofNullable(objects.get(new Name(bucket, object)));
  }

  /**
   * The key of an object.
   *
   * @param bucket the bucket's name
   * @param object the object's name
   */
  private record Name(String bucket, String object) {}
}
