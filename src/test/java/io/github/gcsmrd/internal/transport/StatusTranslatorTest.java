// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.ErrorInfo;
import com.google.storage.v2.BidiReadHandle;
import com.google.storage.v2.BidiReadObjectError;
import com.google.storage.v2.BidiReadObjectRedirectedError;
import com.google.storage.v2.ReadRangeError;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.NoDetail;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamEnd.RangeError;
import io.github.gcsmrd.internal.stream.StreamEnd.RangeErrors;
import io.github.gcsmrd.internal.stream.StreamEnd.Redirect;
import io.github.gcsmrd.internal.stream.StreamTransport.OpenRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Each status is provoked with a real server, since texts and origins belong to gRPC. */
class StatusTranslatorTest {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private static Metadata details(Any... details) {
    Metadata trailers = new Metadata();
    trailers.put(
        DETAILS,
        com.google.rpc.Status.newBuilder().addAllDetails(List.of(details)).build().toByteArray());
    return trailers;
  }

  /** What a client hears of a call that the server closes like this. */
  private static StreamEnd endOf(Status status, Metadata trailers) {
    RawServer.Handler closing =
        (call, headers) -> {
          call.close(status, trailers);
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(closing);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      return listener.awaitEnd();
    }
  }

  @Test
  void everyCodeOfTheServerKeepsItsNumberTextAndOrigin() {
    for (Status.Code code : Status.Code.values()) {
      StreamEnd end = endOf(code.toStatus().withDescription("text " + code), new Metadata());
      assertEquals(code.value(), end.code().value());
      assertEquals("text " + code, end.description());
      assertEquals(Origin.SERVER, end.origin(), "origin of " + code);
    }
  }

  @Test
  void aServersWordsDoNotPassForALocalStatus() {
    StreamEnd end =
        endOf(
            Status.RESOURCE_EXHAUSTED.withDescription("gRPC message exceeds maximum size 1: 2"),
            new Metadata());
    assertEquals(Origin.SERVER, end.origin());
  }

  @Test
  void aRedirectIsFoundByWhatFollowsTheLastSlash() {
    BidiReadObjectRedirectedError redirect =
        BidiReadObjectRedirectedError.newBuilder()
            .setRoutingToken("a/b=c%d")
            .setReadHandle(BidiReadHandle.newBuilder().setHandle(ByteString.copyFromUtf8("handle")))
            .build();
    Any odd = Any.pack(redirect, "other.example/with/path");
    StreamEnd end = endOf(Status.ABORTED, details(Any.pack(ErrorInfo.getDefaultInstance()), odd));
    Redirect found = assertInstanceOf(Redirect.class, end.detail());
    assertEquals(Optional.of("a/b=c%d"), found.routingToken());
    assertArrayEquals("handle".getBytes(), found.readHandle().orElseThrow());
    assertEquals(1, end.otherDetails().size());
  }

  @Test
  void aRedirectMayLackHandleOrToken() {
    StreamEnd end =
        endOf(
            Status.ABORTED, details(Any.pack(BidiReadObjectRedirectedError.getDefaultInstance())));
    Redirect found = assertInstanceOf(Redirect.class, end.detail());
    assertEquals(Optional.empty(), found.routingToken());
    assertTrue(found.readHandle().isEmpty());
  }

  @Test
  void rangeErrorsAreToldWithTheirOkEntries() {
    BidiReadObjectError error =
        BidiReadObjectError.newBuilder()
            .addReadRangeErrors(
                ReadRangeError.newBuilder()
                    .setReadId(7)
                    .setStatus(
                        com.google.rpc.Status.newBuilder().setCode(11).setMessage("too far")))
            .addReadRangeErrors(ReadRangeError.newBuilder().setReadId(8))
            .build();
    StreamEnd end =
        endOf(
            Status.OUT_OF_RANGE,
            details(
                Any.pack(error), Any.pack(ErrorInfo.newBuilder().setReason("BECAUSE").build())));
    RangeErrors found = assertInstanceOf(RangeErrors.class, end.detail());
    assertEquals(
        List.of(
            new RangeError(7, StatusCode.OUT_OF_RANGE, "too far"),
            new RangeError(8, StatusCode.OK, "")),
        found.errors());
    assertTrue(end.otherDetails().get(0).contains("BECAUSE"), end.otherDetails().toString());
  }

  @Test
  void undecodableDetailsDoNotHideTheStatus() {
    Metadata garbage = new Metadata();
    garbage.put(DETAILS, new byte[] {(byte) 0xFF, 1, 2, 3});
    StreamEnd end = endOf(Status.ABORTED.withDescription("plain"), garbage);
    assertEquals(StatusCode.ABORTED, end.code());
    assertEquals("plain", end.description());
    assertEquals(new NoDetail(), end.detail());
    assertEquals(1, end.otherDetails().size());
  }

  @Test
  void anUndecodableDetailDoesNotHideAGoodOneBehindIt() {
    Any broken =
        Any.newBuilder()
            .setTypeUrl("type.googleapis.com/google.storage.v2.BidiReadObjectError")
            .setValue(ByteString.copyFrom(new byte[] {(byte) 0xFF}))
            .build();
    Any good = Any.pack(BidiReadObjectRedirectedError.newBuilder().setRoutingToken("t").build());
    StreamEnd end = endOf(Status.ABORTED, details(broken, good));
    assertInstanceOf(Redirect.class, end.detail());
    assertEquals(1, end.otherDetails().size());
  }

  @Test
  void aResponseOverTheLimitIsToldAsSuch() {
    RawServer.Handler large =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          call.sendMessage(TransportFixture.response(1, 20_000));
          call.close(Status.OK, new Metadata());
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(large);
        TransportFixture fixture =
            new TransportFixture(server.port(), options -> options.messageLimitBytes(10_000))) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.RESOURCE_EXHAUSTED, end.code());
      assertEquals(Origin.MESSAGE_TOO_LARGE, end.origin());
    }
  }

  /** Sends trailers with so many bytes, and stays silent on a call that is opened before it. */
  private static StreamEnd endWithTrailers(int bytes, BlockingQueue<StreamEnd> neighbour) {
    RawServer.Handler closing =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          if (headers.toString().contains("quiet")) {
            return RawServer.ignore();
          }
          Metadata trailers = new Metadata();
          trailers.put(DETAILS, new byte[bytes]);
          call.close(Status.ABORTED, trailers);
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(closing);
        TransportFixture fixture =
            new TransportFixture(server.port(), options -> options.metadataLimitBytes(8192))) {
      RecordingListener quiet = fixture.listener();
      StreamCall other =
          fixture.open(
              fixture.transport.transport(0),
              new OpenRequest("quiet", Optional.empty(), "t", 1, Map.of()),
              quiet);
      quiet.awaitReady();
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      fixture.run(quiet, () -> other.cancel("test over"));
      neighbour.add(quiet.awaitEnd());
      return end;
    }
  }

  @Test
  void trailersALittleOverTheLimitEndTheirCallAlone() {
    BlockingQueue<StreamEnd> neighbour = new LinkedBlockingQueue<>();
    StreamEnd end = endWithTrailers(6_300, neighbour);
    assertEquals(Origin.METADATA_TOO_LARGE, end.origin(), end.toString());
    assertEquals(Origin.LOCAL, neighbour.remove().origin(), "the neighbour was cancelled by us");
  }

  @Test
  void trailersFarOverTheLimitEndTheConnection() {
    BlockingQueue<StreamEnd> neighbour = new LinkedBlockingQueue<>();
    StreamEnd end = endWithTrailers(60_000, neighbour);
    assertEquals(Origin.METADATA_TOO_LARGE, end.origin(), end.toString());
    assertEquals(Origin.METADATA_TOO_LARGE, neighbour.remove().origin(), "the neighbour");
  }

  @Test
  void aRefusedConnectionIsTheTransports() throws Exception {
    int unused;
    try (ServerSocket socket = new ServerSocket(0)) {
      unused = socket.getLocalPort();
    }
    try (TransportFixture fixture = new TransportFixture(unused)) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.UNAVAILABLE, end.code());
      assertEquals(Origin.TRANSPORT, end.origin());
    }
  }

  /** A server that stops resets its streams: CANCELLED then, though nobody here cancelled. */
  @Test
  void aLostConnectionIsTheTransports() {
    RawServer.Handler silent =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          return RawServer.ignore();
        };
    RawServer server = RawServer.start(silent);
    try (TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      listener.awaitReady();
      server.close();
      StreamEnd end = listener.awaitEnd();
      assertEquals(Origin.TRANSPORT, end.origin(), end.toString());
    } finally {
      server.close();
    }
  }

  @Test
  void aServerThatThrowsIsUnknownByTheServer() {
    RawServer.Handler throwing =
        (call, headers) -> {
          throw new IllegalStateException("on purpose");
        };
    try (RawServer server = RawServer.start(throwing);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.UNKNOWN, end.code());
      assertEquals(Origin.SERVER, end.origin());
    }
  }

  @Test
  void trailersThatCameBeforeACancelDoNotMakeItTheServers() {
    RawServer.Handler sendAndClose =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          call.sendMessage(TransportFixture.response(1, 10));
          call.close(Status.ABORTED, new Metadata());
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(sendAndClose);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      StreamCall call = fixture.open(listener);
      listener.awaitReady();
      fixture.run(listener, () -> call.cancel("mine"));
      StreamEnd end = listener.awaitEnd();
      assertEquals(Origin.LOCAL, end.origin());
      assertEquals(StatusCode.CANCELLED, end.code());
    }
  }
}
