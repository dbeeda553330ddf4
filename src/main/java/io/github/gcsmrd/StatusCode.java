// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

/**
 * The outcome of a call to the storage service, by gRPC's canonical codes. Immutable and
 * thread-safe.
 *
 * <p>It mirrors the codes of gRPC so that no gRPC type is part of this library's API; {@link
 * #value()} is the number on the wire.
 */
public enum StatusCode {
  /** The call ended without an error. */
  OK(0),
  /** The call was cancelled. */
  CANCELLED(1),
  /** An error without a better code, often made by a proxy on the way. */
  UNKNOWN(2),
  /** The request is wrong whatever the state of the service. */
  INVALID_ARGUMENT(3),
  /** A time limit passed. */
  DEADLINE_EXCEEDED(4),
  /** The bucket or object doesn't exist, or may not be seen. */
  NOT_FOUND(5),
  /** The thing to be created exists already. */
  ALREADY_EXISTS(6),
  /** The caller has no permission. */
  PERMISSION_DENIED(7),
  /** A quota or limit was reached. */
  RESOURCE_EXHAUSTED(8),
  /** The state of the object forbids the operation; a precondition did not hold. */
  FAILED_PRECONDITION(9),
  /** The operation was aborted; a redirect comes under this code. */
  ABORTED(10),
  /** A range starts beyond the end of the object. */
  OUT_OF_RANGE(11),
  /** The service doesn't know the operation. */
  UNIMPLEMENTED(12),
  /** An error inside the service or the transport. */
  INTERNAL(13),
  /** The service can't be reached at present. */
  UNAVAILABLE(14),
  /** Data was lost or damaged; this library uses it for checksum mismatches. */
  DATA_LOSS(15),
  /** The call carried no valid credentials. */
  UNAUTHENTICATED(16);

  private static final StatusCode[] BY_VALUE = values();

  private final int value;

  StatusCode(int value) {
    this.value = value;
  }

  /**
   * Returns the number of this code on the wire.
   *
   * @return 0 to 16
   */
  public int value() {
    return value;
  }

  /**
   * Returns the code of a number on the wire.
   *
   * @param value any number
   * @return the code, or {@link #UNKNOWN} for a number that is none, as gRPC asks for
   */
  public static StatusCode ofValue(int value) {
    return value >= 0 && value < BY_VALUE.length ? BY_VALUE[value] : UNKNOWN;
  }
}
