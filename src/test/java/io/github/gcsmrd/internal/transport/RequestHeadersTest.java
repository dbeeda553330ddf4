// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamTransport.OpenRequest;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RequestHeadersTest {
  private static final RawServer.Handler SILENT = (call, headers) -> RawServer.ignore();

  private static List<String> all(Metadata headers, String name) {
    Iterable<String> values =
        headers.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    List<String> list = new ArrayList<>();
    if (values != null) {
      values.forEach(list::add);
    }
    return list;
  }

  private static Metadata received(
      OpenRequest request, UnaryOperator<TransportOptionsBuilder> settings)
      throws InterruptedException {
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture = new TransportFixture(server.port(), settings)) {
      fixture.open(fixture.transport.transport(0), request, fixture.listener());
      return server.nextHeaders();
    }
  }

  @Test
  void eachHeaderIsSentExactlyOnce() throws Exception {
    OpenRequest request =
        new OpenRequest("b.u_c-ket", Optional.empty(), "tok", 3, Map.of("x-own", "value"));
    Metadata headers =
        received(request, options -> options.userAgent("me/1").userProject(Optional.of("bill")));
    assertEquals(
        List.of("bucket=projects/_/buckets/b.u_c-ket"), all(headers, "x-goog-request-params"));
    assertEquals(List.of("tok"), all(headers, "x-goog-gcs-idempotency-token"));
    assertEquals(List.of("bill"), all(headers, "x-goog-user-project"));
    assertEquals(List.of("value"), all(headers, "x-own"));
    List<String> client = all(headers, "x-goog-api-client");
    assertEquals(1, client.size());
    assertTrue(
        client
            .get(0)
            .matches(
                "gl-java/\\S+ gccl/\\S+ grpc/1\\.\\S+ gccl-invocation-id/tok"
                    + " gccl-attempt-count/3"),
        client.get(0));
    List<String> agent = all(headers, "user-agent");
    assertEquals(1, agent.size());
    assertTrue(agent.get(0).startsWith("me/1 grpc-java-netty/"), agent.get(0));
  }

  @Test
  void aRoutingTokenIsSentVerbatim() throws Exception {
    String token = "a/b=c%20d&e~ !";
    OpenRequest request = new OpenRequest("b", Optional.of(token), "t", 1, Map.of());
    assertEquals(
        List.of("bucket=projects/_/buckets/b&routing_token=" + token),
        all(received(request, options -> options), "x-goog-request-params"));
  }

  @Test
  void aSessionsUserProjectGoesBeforeTheClients() throws Exception {
    OpenRequest request =
        new OpenRequest("b", Optional.empty(), "t", 1, Map.of("x-goog-user-project", "of-session"));
    Metadata headers = received(request, options -> options.userProject(Optional.of("of-client")));
    assertEquals(List.of("of-session"), all(headers, "x-goog-user-project"));
  }

  @Test
  void aTokenThatNoHeaderCanHoldEndsTheOpenAndSendsNothing() {
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture = new TransportFixture(server.port())) {
      for (String token : List.of("caf\u00e9", "line\nbreak", "\u007f")) {
        OpenRequest request = new OpenRequest("b", Optional.of(token), "t", 1, Map.of());
        RecordingListener listener = fixture.listener();
        fixture.open(fixture.transport.transport(0), request, listener);
        StreamEnd end = listener.awaitEnd();
        assertEquals(StatusCode.INVALID_ARGUMENT, end.code());
        assertEquals(Origin.LOCAL, end.origin());
        assertTrue(end.description().contains("x-goog-request-params"), end.description());
        assertFalse(end.description().contains(token), "the token is no text for a log");
      }
      assertTrue(server.headers.isEmpty());
    }
  }

  @Test
  void ownHeadersMayNotReplaceTheLibrarys() {
    for (String name :
        List.of(
            "x-goog-request-params",
            "x-goog-api-client",
            "authorization",
            "grpc-timeout",
            "content-type",
            "content-encoding",
            "accept-encoding",
            "user-agent",
            "some-bin",
            "Upper",
            "",
            ":path")) {
      assertThrows(
          IllegalArgumentException.class, () -> RequestHeaders.requireUsable(name, "v"), name);
    }
    assertThrows(
        IllegalArgumentException.class, () -> RequestHeaders.requireUsable("x-own", "a\rb"));
    RequestHeaders.requireUsable("x-goog-custom-audit-job", "job 7");
  }

  @Test
  void headersThatEndAConnectionAreRefused() {
    for (String name :
        List.of(
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
            "content-length")) {
      String message =
          assertThrows(
                  IllegalArgumentException.class, () -> RequestHeaders.requireUsable(name, "x"))
              .getMessage();
      assertEquals(
          "header \"" + name + "\" can't be set: a call over HTTP/2 can't carry it", message);
    }
  }
}
