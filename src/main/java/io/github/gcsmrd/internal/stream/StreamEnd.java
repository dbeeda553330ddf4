// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.StatusCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended: its status and what its details say. Immutable.
 *
 * @param code the status
 * @param description the status' message, empty if there is none
 * @param origin who made the status
 * @param detail the first detail that this library understands
 * @param otherDetails the rest of the server's details, as text for error messages
 * @param cause the exception below a status made by the client, if any
 */
public record StreamEnd(
    StatusCode code,
    String description,
    Origin origin,
    Detail detail,
    List<String> otherDetails,
    @Nullable Throwable cause) {

  /** Who made a status. */
  public enum Origin {
    /** It came in the trailers of the server. */
    SERVER,
    /** The client's transport made it: no connection, a reset, a lost connection. */
    TRANSPORT,
    /** A response was larger than the message limit: asking again does not help. */
    MESSAGE_TOO_LARGE,
    /** The trailers were larger than the metadata limit. */
    METADATA_TOO_LARGE,
    /** The server's certificate was refused: asking again does not help. */
    UNTRUSTED_SERVER,
    /** This library cancelled the call. */
    LOCAL
  }

  /** A detail of the status that changes what is done. */
  public sealed interface Detail {}

  /** No detail, or none that could be decoded. */
  public record NoDetail() implements Detail {}

  /**
   * {@code BidiReadObjectRedirectedError}: open again with these.
   *
   * @param routingToken for the header and field 14, verbatim
   * @param readHandle a copy of the handle's bytes
   */
  public record Redirect(Optional<String> routingToken, Optional<byte[]> readHandle)
      implements Detail {}

  /**
   * {@code BidiReadObjectError}: what the server says of pending ranges.
   *
   * @param errors one for each listed range, those with OK too
   */
  public record RangeErrors(List<RangeError> errors) implements Detail {}

  /**
   * The status of one range.
   *
   * @param readId the id on the stream
   * @param code the range's status
   * @param message the range's message, empty if there is none
   */
  public record RangeError(long readId, StatusCode code, String message) {}
}
