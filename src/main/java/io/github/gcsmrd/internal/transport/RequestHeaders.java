// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.StreamTransport.OpenRequest;
import io.grpc.Metadata;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Composes the headers of an open, each exactly once. Immutable and thread-safe. */
public final class RequestHeaders {
  private static final String USER_PROJECT = "x-goog-user-project";

  /** The one header that credentials may bring too. */
  static final Metadata.Key<String> USER_PROJECT_KEY =
      Metadata.Key.of(USER_PROJECT, Metadata.ASCII_STRING_MARSHALLER);

  private static final String REQUEST_PARAMS = "x-goog-request-params";
  private static final String API_CLIENT = "x-goog-api-client";
  private static final String IDEMPOTENCY_TOKEN = "x-goog-gcs-idempotency-token";

  /** Names that this library, gRPC or the credentials fill in. */
  private static final Set<String> RESERVED =
      Set.of(
          REQUEST_PARAMS,
          API_CLIENT,
          IDEMPOTENCY_TOKEN,
          "authorization",
          "user-agent",
          "content-type",
          "content-encoding",
          "accept-encoding");

  /**
   * Names that are about a connection or the form of a message. HTTP/2 forbids most of them, and a
   * server may answer one by ending the connection, which other sessions use too.
   */
  private static final Set<String> FORBIDDEN =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "transfer-encoding",
          "upgrade",
          "http2-settings",
          "host",
          "te",
          "trailer",
          "expect",
          "content-length");

  private static final String VERSIONS =
      "gl-java/"
          + LibraryVersion.javaVersion()
          + " gccl/"
          + LibraryVersion.ownVersion()
          + " grpc/"
          + LibraryVersion.grpcVersion();

  private final Optional<String> userProject;

  RequestHeaders(Optional<String> userProject) {
    this.userProject = userProject;
  }

  /**
   * The headers of one attempt to open a stream.
   *
   * @throws IllegalArgumentException if a value can't be sent as a header
   */
  Metadata of(OpenRequest request) {
    Metadata headers = new Metadata();
    put(headers, REQUEST_PARAMS, routing(request));
    put(
        headers,
        API_CLIENT,
        VERSIONS
            + " gccl-invocation-id/"
            + request.idempotencyToken()
            + " gccl-attempt-count/"
            + request.attempt());
    put(headers, IDEMPOTENCY_TOKEN, request.idempotencyToken());
    for (Map.Entry<String, String> own : request.headers().entrySet()) {
      requireUsable(own.getKey(), own.getValue());
      put(headers, own.getKey(), own.getValue());
    }
    if (userProject.isPresent() && !request.headers().containsKey(USER_PROJECT)) {
      put(headers, USER_PROJECT, userProject.get());
    }
    return headers;
  }

  /** Bucket and token go raw, as the service asks: the token verbatim. */
  private static String routing(OpenRequest request) {
    String bucket = "bucket=projects/_/buckets/" + request.bucket();
    return request.routingToken().map(token -> bucket + "&routing_token=" + token).orElse(bucket);
  }

  /**
   * Checks a header that a session wants to add, so that it can be refused before anything is sent.
   *
   * @param name a lower-case name
   * @param value the value
   * @throws IllegalArgumentException if the name is no header name or is filled in by this library,
   *     or if the value holds characters that a header can't
   */
  public static void requireUsable(String name, String value) {
    if (name.isEmpty() || !name.chars().allMatch(RequestHeaders::isNameCharacter)) {
      throw new IllegalArgumentException(
          "header name \"" + name + "\" is not made of the characters a-z 0-9 - _ . alone");
    }
    if (isForbidden(name)) {
      throw new IllegalArgumentException(
          "header \"" + name + "\" can't be set: a call over HTTP/2 can't carry it");
    }
    if (RESERVED.contains(name) || name.startsWith("grpc-") || name.endsWith("-bin")) {
      throw new IllegalArgumentException(
          "header \"" + name + "\" can't be set: the library or gRPC fills it in");
    }
    requireSendable(name, value);
  }

  /** Whether a header of this lower-case name could harm the other calls of its connection. */
  static boolean isForbidden(String name) {
    return FORBIDDEN.contains(name);
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  }

  private static void put(Metadata headers, String name, String value) {
    requireSendable(name, value);
    headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
  }

  /** gRPC would send a question mark for any other character: refuse instead of sending garbage. */
  private static void requireSendable(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x20 || c > 0x7E) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "header %s can't hold the character U+%04X at index %d of its value",
                name,
                (int) c,
                i));
      }
    }
  }
}
