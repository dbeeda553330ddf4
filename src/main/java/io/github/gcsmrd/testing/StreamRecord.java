// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What {@link FakeGcs} knows of a stream at one moment. Immutable and thread-safe.
 *
 * <p>Times are of {@link System#nanoTime}.
 *
 * @param ordinal 1 for the first stream that the server got, and so on
 * @param connection 1 for the first connection that the server got, and so on
 * @param authority the {@code :authority} of the call
 * @param headers the request's headers by lower-case name, their values in the order received;
 *     values of names that end in {@code -bin} in Base64
 * @param spec the spec of the first message, once it came
 * @param messages all messages received, in their order
 * @param halfClosed whether the client half-closed
 * @param end how the stream ended, if it has
 * @param payloadBytesSent bytes of content handed to the transport, which takes more only once most
 *     of what it has was taken by the client
 * @param responsesSent responses handed to the transport
 * @param rangesFinished ranges answered to their end
 * @param startedNanos when the headers came
 */
public record StreamRecord(
    int ordinal,
    int connection,
    String authority,
    Map<String, List<String>> headers,
    Optional<Spec> spec,
    List<Message> messages,
    boolean halfClosed,
    Optional<End> end,
    long payloadBytesSent,
    long responsesSent,
    int rangesFinished,
    long startedNanos) {

  /**
   * Returns all ranges asked for on this stream.
   *
   * @return the ranges in the order received
   */
  public List<Range> ranges() {
    return messages.stream().flatMap(message -> message.ranges().stream()).toList();
  }

  /**
   * Returns the values of a header.
   *
   * @param name the name in lower case
   * @return the values in the order received; empty if there is none
   */
  public List<String> header(String name) {
    return headers.getOrDefault(name, List.of());
  }

  /**
   * A {@code BidiReadObjectSpec}.
   *
   * @param bucket as sent: {@code projects/_/buckets/NAME}
   * @param object the object's name
   * @param generation the generation, 0 for the newest
   * @param ifGenerationMatch the precondition, if present
   * @param ifGenerationNotMatch the precondition, if present
   * @param ifMetagenerationMatch the precondition, if present
   * @param ifMetagenerationNotMatch the precondition, if present
   * @param readHandle the bytes of the read handle, if present
   * @param routingToken the routing token, if present
   * @param encryptionKey the customer's key, if present
   */
  public record Spec(
      String bucket,
      String object,
      long generation,
      OptionalLong ifGenerationMatch,
      OptionalLong ifGenerationNotMatch,
      OptionalLong ifMetagenerationMatch,
      OptionalLong ifMetagenerationNotMatch,
      Optional<Bytes> readHandle,
      Optional<String> routingToken,
      Optional<EncryptionKey> encryptionKey) {}

  /**
   * A customer-supplied key.
   *
   * @param algorithm the algorithm
   * @param key the key's bytes
   * @param sha256 the SHA-256 of the key's bytes
   */
  public record EncryptionKey(String algorithm, Bytes key, Bytes sha256) {}

  /**
   * A request message.
   *
   * @param hasSpec whether it had a {@code read_object_spec}
   * @param ranges its ranges
   * @param receivedNanos when it came
   */
  public record Message(boolean hasSpec, List<Range> ranges, long receivedNanos) {}

  /**
   * A {@code ReadRange} as it was asked for.
   *
   * @param offset the {@code read_offset}
   * @param length the {@code read_length}
   * @param readId the {@code read_id}
   */
  public record Range(long offset, long length, long readId) {}

  /** Who ended a stream. */
  public enum EndKind {
    /** The server, with a status in trailers. */
    STATUS,
    /** The server, by a script that reset the stream or dropped the connection. */
    ABRUPT,
    /** The client cancelled the call, or its connection was lost. */
    CANCELLED
  }

  /**
   * How a stream ended.
   *
   * @param kind who ended it
   * @param code the status; CANCELLED where the kind isn't {@link EndKind#STATUS}
   * @param message the status' message
   * @param nanos when
   */
  public record End(EndKind kind, StatusCode code, String message, long nanos) {}
}
