// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Statuses that gRPC's client makes itself and that only their text tells apart. Stateless and
 * thread-safe. The texts belong to a version of gRPC: the tests provoke each with a real server.
 */
final class LocalStatuses {
  private LocalStatuses() {}

  /**
   * Whether a response was over the message limit. Other statuses of this code exist, like the one
   * for a connection that the server closed for bad behaviour.
   */
  static boolean isMessageTooLarge(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && says(status.getDescription(), "gRPC message exceeds maximum size");
  }

  /**
   * Whether headers or trailers were over the metadata limit. A little over it, gRPC resets the
   * stream; far over it, HTTP/2 gives up the connection, and every call on it ends like this.
   */
  static boolean isMetadataTooLarge(Status status) {
    if (says(status.getDescription(), "exceeded Metadata size soft limit")) {
      return true;
    }
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (says(cause.getMessage(), "Header size exceeded max allowed size")) {
        return true;
      }
    }
    return false;
  }

  private static boolean says(@Nullable String text, String what) {
    return text != null && text.contains(what);
  }
}
