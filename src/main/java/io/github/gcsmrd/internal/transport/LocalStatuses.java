// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statuses that gRPC's client makes itself and that only their text tells apart. Stateless and
 * thread-safe. The texts belong to a version of gRPC: the tests provoke each with a real server.
 */
final class LocalStatuses {
  private static final int MAX_CAUSES = 20;

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
    for (Throwable cause : causes(status)) {
      if (says(cause.getMessage(), "Header size exceeded max allowed size")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the server's certificate was refused. A handshake that was broken off, which may have
   * had no part in it, has no cause of these types.
   */
  static boolean isUntrusted(Status status) {
    for (Throwable cause : causes(status)) {
      if (cause instanceof CertificateException
          || cause instanceof CertPathBuilderException
          || cause instanceof CertPathValidatorException) {
        return true;
      }
    }
    return false;
  }

  /** Whether the server answered a handshake with something else. */
  static boolean isNotTls(Status status) {
    for (Throwable cause : causes(status)) {
      if (cause instanceof NotSslRecordException) {
        return true;
      }
    }
    return false;
  }

  /** Whether a server without TLS, as far as this client knew, hung up before it sent anything. */
  static boolean isUnheard(Status status) {
    for (Throwable cause : causes(status)) {
      if (cause instanceof Http2Start.Unheard) {
        return true;
      }
    }
    return false;
  }

  /** Whether the server answered HTTP/2 with a TLS alert: its type and major version. */
  static boolean isTlsAlert(Status status) {
    return beginsWith(status, "1503");
  }

  /** Whether the server answered HTTP/2 with HTTP/1, as some do that want TLS. */
  static boolean isHttp1(Status status) {
    return beginsWith(status, "48545450");
  }

  /** Whether the first bytes of a connection were these, in hexadecimal, and no settings. */
  private static boolean beginsWith(Status status, String bytes) {
    for (Throwable cause : causes(status)) {
      if (says(cause.getMessage(), "not SETTINGS. Hex dump for first 5 bytes: " + bytes)) {
        return true;
      }
    }
    return false;
  }

  /** From the outermost on; a circle of them ends. */
  private static List<Throwable> causes(Status status) {
    List<Throwable> causes = new ArrayList<>();
    Throwable at = status.getCause();
    while (at != null && causes.size() < MAX_CAUSES) {
      causes.add(at);
      at = at.getCause();
    }
    return causes;
  }

  private static boolean says(@Nullable String text, String what) {
    return text != null && text.contains(what);
  }
}
