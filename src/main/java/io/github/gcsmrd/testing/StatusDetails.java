// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The details of a status: the trailer {@code grpc-status-details-bin}. Immutable and thread-safe.
 */
public sealed interface StatusDetails {

  /**
   * Returns no details: the trailer is absent.
   *
   * @return the details
   */
  static StatusDetails none() {
    return new Packed(List.of());
  }

  /**
   * Returns a trailer of arbitrary bytes, a valid {@code google.rpc.Status} or not.
   *
   * @param trailer the bytes; copied
   * @return the details
   */
  static StatusDetails raw(byte[] trailer) {
    return new Raw(Bytes.of(trailer));
  }

  /**
   * Returns a {@code BidiReadObjectRedirectedError}.
   *
   * @param routingToken the token, if the redirect has one
   * @param readHandle the handle, if the redirect has one; copied
   * @return the details
   */
  static StatusDetails redirect(Optional<String> routingToken, Optional<byte[]> readHandle) {
    return new Packed(List.of(new Redirect(routingToken, readHandle.map(Bytes::of))));
  }

  /**
   * Returns a {@code BidiReadObjectError}.
   *
   * @param errors the listed ranges; ids that are not pending, and OK, are as good as any
   * @return the details
   */
  static StatusDetails rangeErrors(RangeError... errors) {
    return rangeErrors(Arrays.asList(errors));
  }

  /**
   * Returns a {@code BidiReadObjectError}.
   *
   * @param errors the listed ranges
   * @return the details
   */
  static StatusDetails rangeErrors(List<RangeError> errors) {
    return new Packed(List.of(new RangeErrors(List.copyOf(errors))));
  }

  /**
   * Returns a detail of any type.
   *
   * @param typeUrl for example {@code type.googleapis.com/google.rpc.ErrorInfo}
   * @param value the packed bytes, valid or not; copied
   * @return the details
   */
  static StatusDetails other(String typeUrl, byte[] value) {
    return new Packed(List.of(new Other(typeUrl, Bytes.of(value))));
  }

  /**
   * Returns these details followed by others, in one trailer.
   *
   * @param more the others
   * @return the details
   * @throws IllegalArgumentException if either was made by {@link #raw}
   */
  default StatusDetails and(StatusDetails more) {
    if (this instanceof Packed mine && more instanceof Packed theirs) {
      return new Packed(Stream.concat(mine.details.stream(), theirs.details.stream()).toList());
    }
    throw new IllegalArgumentException("raw details can't be combined");
  }

  /**
   * A range in a {@code BidiReadObjectError}.
   *
   * @param readId the id on the stream
   * @param code the range's status
   * @param message the status' message
   */
  record RangeError(long readId, StatusCode code, String message) {}

  /**
   * Bytes of a trailer. Made by {@link StatusDetails#raw}.
   *
   * @param trailer the bytes
   */
  record Raw(Bytes trailer) implements StatusDetails {}

  /**
   * Details in their order. Made by the factories of {@link StatusDetails}.
   *
   * @param details the details; none means no trailer
   */
  record Packed(List<Detail> details) implements StatusDetails {}

  /** One detail. Made by the factories of {@link StatusDetails}. */
  sealed interface Detail {}

  /**
   * {@code BidiReadObjectRedirectedError}.
   *
   * @param routingToken the token
   * @param readHandle the handle
   */
  record Redirect(Optional<String> routingToken, Optional<Bytes> readHandle) implements Detail {}

  /**
   * {@code BidiReadObjectError}.
   *
   * @param errors the listed ranges
   */
  record RangeErrors(List<RangeError> errors) implements Detail {}

  /**
   * A detail of another type.
   *
   * @param typeUrl the type
   * @param value the packed bytes
   */
  record Other(String typeUrl, Bytes value) implements Detail {}
}
