// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Translates what gRPC says at the end of a call into a {@link StreamEnd}. Stateless and
 * thread-safe.
 *
 * <p>A {@link Status} does not tell who made it. Trailers do: gRPC hands the server's trailers to
 * the call's tracer, and closes the call with that same object; a status made by the client comes
 * with trailers of its own. So a status is the server's if and only if both are one object.
 */
final class StatusTranslator {
  private static final String PIPELINE_DUMP = "\nChannel Pipeline:";

  private StatusTranslator() {}

  /**
   * Translates.
   *
   * @param status the status the call was closed with
   * @param trailers the trailers the call was closed with
   * @param received the trailers the tracer saw, or null if it saw none
   */
  static StreamEnd translate(Status status, Metadata trailers, @Nullable Metadata received) {
    StatusCode code = StatusCode.ofValue(status.getCode().value());
    String description = status.getDescription() == null ? "" : status.getDescription();
    if (trailers == received) {
      StatusDetails details = StatusDetails.in(trailers);
      return new StreamEnd(
          code, description, Origin.SERVER, details.known(), details.others(), status.getCause());
    }
    Origin origin = originOfLocal(status);
    return local(code, words(status, description, origin), origin, status.getCause());
  }

  /** What a user can act on; gRPC appends a dump of Netty's pipeline. */
  private static String words(Status status, String description, Origin origin) {
    if (origin == Origin.UNTRUSTED_SERVER) {
      return "the server's certificate is refused, GcsClientBuilder.trustedCertificates (--ca-cert"
          + " of the command line) says what is trusted";
    }
    if (LocalStatuses.isNotTls(status)) {
      return "the server does not speak TLS: use http:// for one that has none";
    }
    if (LocalStatuses.isTlsAlert(status)) {
      return "the server speaks TLS: use https://";
    }
    if (LocalStatuses.isHttp1(status)) {
      return "the server answered with HTTP/1: it may want TLS, use https:// then";
    }
    if (LocalStatuses.isUnheard(status)) {
      return "the server closed the connection before it sent anything: it may want TLS, use"
          + " https:// then";
    }
    int dump = description.indexOf(PIPELINE_DUMP);
    return dump < 0 ? description : description.substring(0, dump);
  }

  /** The end of a call that this client ends itself. */
  static StreamEnd local(
      StatusCode code, String description, Origin origin, @Nullable Throwable cause) {
    StatusDetails none = StatusDetails.NONE;
    return new StreamEnd(code, description, origin, none.known(), none.others(), cause);
  }

  private static Origin originOfLocal(Status status) {
    if (LocalStatuses.isMessageTooLarge(status)) {
      return Origin.MESSAGE_TOO_LARGE;
    }
    if (LocalStatuses.isMetadataTooLarge(status)) {
      return Origin.METADATA_TOO_LARGE;
    }
    return LocalStatuses.isUntrusted(status) ? Origin.UNTRUSTED_SERVER : Origin.TRANSPORT;
  }
}
