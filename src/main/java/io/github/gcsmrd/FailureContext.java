// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What was going on when something failed: the facts behind the message of a {@link GcsException}.
 * Immutable, thread-safe and serializable.
 *
 * @param bucket the bucket's plain name
 * @param object the object's name
 * @param generation the generation that is read, if known by then
 * @param range the range, if one failed
 * @param bytesDelivered how many bytes of the range had reached their destination; they are right
 * @param attempts how many times the stream was opened, or the range asked for, without progress
 * @param elapsed the time since the first failure in a row, or zero for a single one
 * @param status the status, the service's or the one that fits best
 * @param serverDetails what else the service said, as text
 */
public record FailureContext(
    String bucket,
    String object,
    OptionalLong generation,
    Optional<ByteRange> range,
    long bytesDelivered,
    int attempts,
    Duration elapsed,
    StatusCode status,
    List<String> serverDetails)
    implements Serializable {

  /** Checks that nothing is null and copies the list. */
  public FailureContext {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(elapsed, "elapsed");
    Objects.requireNonNull(status, "status");
    serverDetails = List.copyOf(Objects.requireNonNull(serverDetails, "serverDetails"));
  }

  private Object writeReplace() {
    return new Facts(
        bucket,
        object,
        generation.isPresent() ? generation.getAsLong() : null,
        range.orElse(null),
        bytesDelivered,
        attempts,
        elapsed,
        status,
        serverDetails);
  }

  /** What is serialized, since optional values can't be. */
  private record Facts(
      String bucket,
      String object,
      @Nullable Long generation,
      @Nullable ByteRange range,
      long bytesDelivered,
      int attempts,
      Duration elapsed,
      StatusCode status,
      List<String> serverDetails)
      implements Serializable {
    private Object readResolve() {
      return new FailureContext(
          bucket,
          object,
          generation == null ? OptionalLong.empty() : OptionalLong.of(generation),
          Optional.ofNullable(range),
          bytesDelivered,
          attempts,
          elapsed,
          status,
          serverDetails);
    }
  }

  /** The end of an exception's message: all that is known, in one line. */
  String describe() {
    StringBuilder text = new StringBuilder(128).append("gs://").append(bucket).append('/');
    text.append(object);
    generation.ifPresent(value -> text.append('#').append(value));
    range.ifPresent(
        value ->
            text.append(", range ")
                .append(value)
                .append(", ")
                .append(bytesDelivered)
                .append(" bytes delivered"));
    if (attempts > 1) {
      text.append(", ").append(attempts).append(" attempts in ");
      text.append(String.format(Locale.ROOT, "%.1f s", elapsed.toNanos() / 1e9));
    }
    text.append(", ").append(status);
    if (!serverDetails.isEmpty()) {
      text.append(", details ").append(serverDetails);
    }
    return text.toString();
  }
}
