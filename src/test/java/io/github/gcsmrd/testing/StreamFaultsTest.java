// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.storage.v2.BidiReadObjectRedirectedError;
import com.google.storage.v2.BidiReadObjectResponse;
import io.github.gcsmrd.StatusCode;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StreamFaultsTest extends FakeGcsTestBase {
  private static final byte[] HANDLE = "handle".getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @EnumSource
  void breaksAfterExactlySoManyBytesWithAnyStatus(StatusCode code) throws Exception {
    server.onStream(1, StreamScript.at(When.sent(13), StreamAction.end(code, "scripted")));
    RawStream stream = client.open(object, 0, 50, 1, 50, 50, 2);
    RawStream.End end = stream.end();
    assertEquals(code.value(), end.status().getCode().value());
    assertFalse(end.hasDetails());
    assertArrayEquals(content(0, 10), stream.bytes(1));
    assertArrayEquals(content(50, 3), stream.bytes(2));
    assertEquals(13, server.stream(1).payloadBytesSent());
  }

  @Test
  void breaksBeforeTheFirstResponse() throws Exception {
    server.onNextStream(
        StreamScript.at(When.opened(), StreamAction.end(StatusCode.UNAVAILABLE, "no")));
    RawStream stream = client.open(object, 0, 50, 1);
    assertEquals(Status.Code.UNAVAILABLE, stream.end().code());
    assertEquals(List.of(), stream.received());
    assertEquals(List.of(new StreamRecord.Range(0, 50, 1)), server.stream(1).ranges());
    RawStream second = client.open(object, 0, 50, 1).halfClose();
    assertEquals(Status.Code.OK, second.end().code());
  }

  @Test
  void breaksOnTheHeadersAlone() throws Exception {
    server.onEveryStream(
        StreamScript.at(When.called(), StreamAction.end(StatusCode.PERMISSION_DENIED)));
    assertEquals(Status.Code.PERMISSION_DENIED, call().end().code());
    assertEquals(Status.Code.PERMISSION_DENIED, call().end().code());
  }

  @Test
  void redirectsWithTokenAndHandleAnywhere() throws Exception {
    server.onStream(1, StreamScript.at(When.opened(), StreamAction.redirect("a/b=%", HANDLE)));
    server.onStream(2, StreamScript.at(When.sent(15), StreamAction.redirect("only token")));
    server.onStream(
        3,
        StreamScript.at(
            When.answered(),
            StreamAction.redirect(StatusCode.UNAVAILABLE, Optional.empty(), Optional.of(HANDLE))));
    RawStream.End now = client.open(object, 0, 50, 1).end();
    assertEquals(Status.Code.ABORTED, now.code());
    BidiReadObjectRedirectedError both = now.detail(BidiReadObjectRedirectedError.class);
    assertEquals("a/b=%", both.getRoutingToken());
    assertArrayEquals(HANDLE, both.getReadHandle().getHandle().toByteArray());
    RawStream midway = client.open(object, 0, 50, 1);
    BidiReadObjectRedirectedError token = midway.end().detail(BidiReadObjectRedirectedError.class);
    assertEquals("only token", token.getRoutingToken());
    assertFalse(token.hasReadHandle());
    assertEquals(15, midway.bytes(1).length);
    RawStream.End other = client.open(object).end();
    assertEquals(Status.Code.UNAVAILABLE, other.code());
    assertFalse(other.detail(BidiReadObjectRedirectedError.class).hasRoutingToken());
  }

  @Test
  void sendsGarbageOrSeveralDetails() throws Exception {
    byte[] garbage = {(byte) 0xFF, 1, 2, 3};
    ErrorInfo info = ErrorInfo.newBuilder().setReason("why").build();
    StatusDetails several =
        StatusDetails.other("type.googleapis.com/google.rpc.ErrorInfo", info.toByteArray())
            .and(StatusDetails.redirect(Optional.of("t"), Optional.empty()));
    server.onNextStream(
        StreamScript.at(
            When.opened(), StreamAction.end(StatusCode.ABORTED, "x", StatusDetails.raw(garbage))));
    server.onNextStream(
        StreamScript.at(When.opened(), StreamAction.end(StatusCode.ABORTED, "x", several)));
    RawStream.End first = client.open(object).end();
    assertArrayEquals(garbage, first.rawDetails());
    assertThrows(
        InvalidProtocolBufferException.class,
        () -> first.detail(BidiReadObjectRedirectedError.class));
    RawStream.End second = client.open(object).end();
    assertEquals(info, second.detail(ErrorInfo.class));
    assertEquals("t", second.detail(BidiReadObjectRedirectedError.class).getRoutingToken());
  }

  @Test
  void resetsTheHttp2StreamButNotItsNeighbour() throws Exception {
    Gate gate = Gate.closed();
    server.onStream(1, StreamScript.at(When.sent(15), StreamAction.reset()));
    server.onStream(2, StreamScript.at(When.opened(), StreamAction.hold(gate)));
    RawStream stream = client.open(object, 0, 50, 1);
    RawStream.End end = stream.end();
    assertEquals(Status.Code.INTERNAL, end.code());
    assertTrue(end.status().getDescription().contains("INTERNAL_ERROR"), end.toString());
    assertEquals(StreamRecord.EndKind.ABRUPT, server.stream(1).end().orElseThrow().kind());
    RawStream neighbour = client.open(object, 0, 50, 1);
    RawStream third = client.open(object, 0, 50, 1);
    server.awaitStreams(3, TIMEOUT);
    assertTrue(server.perform(3, StreamAction.reset(7)));
    assertEquals(Status.Code.UNAVAILABLE, third.end().code());
    gate.open();
    neighbour.halfClose();
    assertEquals(Status.Code.OK, neighbour.end().code());
    assertEquals(1, server.connections());
  }

  @Test
  void dropsTheConnectionWithAllItsStreams() throws Exception {
    server.onStream(2, StreamScript.at(When.answered(), StreamAction.dropConnection()));
    RawStream first = client.open(object);
    first.next();
    RawStream second = client.open(object);
    assertEquals(Status.Code.UNAVAILABLE, second.end().code());
    assertEquals(Status.Code.UNAVAILABLE, first.end().code());
    assertEquals(Status.Code.OK, client.open(object).halfClose().end().code());
    assertEquals(2, server.connections());
    assertEquals(StreamRecord.EndKind.CANCELLED, server.stream(1).end().orElseThrow().kind());
    server.dropConnections();
  }

  @Test
  void goAwayLetsStreamsGoOnAndSendsNewOnesElsewhere() throws Exception {
    Gate gate = Gate.closed();
    server.onStream(
        1,
        StreamScript.builder()
            .at(When.sent(10), StreamAction.goAway())
            .at(When.sent(10), StreamAction.emptyResponses(1))
            .at(When.sent(10), StreamAction.hold(gate))
            .build());
    RawStream first = client.open(object, 0, 50, 1).halfClose();
    byte[] before = bytesOf(first.next());
    assertEquals(0, first.next().getObjectDataRangesCount(), "it comes after the GOAWAY");
    RawStream second = client.open(object, 0, 50, 1).halfClose();
    assertEquals(Status.Code.OK, second.end().code());
    assertEquals(2, server.openConnections(), "a stream of the first is left");
    gate.open();
    assertEquals(Status.Code.OK, first.end().code());
    assertArrayEquals(content(0, 10), before);
    assertArrayEquals(content(10, 40), first.bytes(1));
    assertEquals(2, server.stream(2).connection());
    server.await("close after the last stream", () -> server.openConnections() == 1, TIMEOUT);
    assertEquals(Status.Code.OK, client.open(object, 0, 50, 1).halfClose().end().code());
    assertEquals(2, server.stream(3).connection());
  }

  @Test
  void goAwayClosesAConnectionWithoutStreams() throws Exception {
    assertEquals(Status.Code.OK, client.open(object, 0, 50, 1).halfClose().end().code());
    server.awaitNoOpenStreams(TIMEOUT);
    server.sendGoAway();
    server.await("close of the idle connection", () -> server.openConnections() == 0, TIMEOUT);
    assertEquals(Status.Code.OK, client.open(object, 0, 50, 1).halfClose().end().code());
    assertEquals(2, server.connections());
  }

  @Test
  void holdsUntilTheGateOpens() throws Exception {
    Gate gate = Gate.closed();
    server.onStream(1, StreamScript.at(When.sent(10), StreamAction.hold(gate)));
    RawStream stream = client.open(object, 0, 30, 1);
    assertEquals(1, stream.next().getObjectDataRangesCount());
    gate.awaitReached(TIMEOUT);
    stream.send(60, 10, 2);
    server.awaitRanges(2, TIMEOUT);
    assertEquals(10, server.stream(1).payloadBytesSent());
    assertFalse(gate.isOpen());
    gate.open();
    stream.halfClose();
    assertEquals(Status.Code.OK, stream.end().code());
    assertArrayEquals(content(60, 10), stream.bytes(2));
  }

  @Test
  void holdsARefusalToo() throws Exception {
    Gate gate = Gate.closed();
    server.onStream(1, StreamScript.at(When.called(), StreamAction.hold(gate)));
    FakeObject gone = server.put("bucket", "gone", ObjectContent.of(new byte[0]));
    server.delete("bucket", "gone");
    RawStream stream = client.open(gone, 0, 1, 1);
    server.awaitRanges(1, TIMEOUT);
    assertFalse(stream.hasEnded());
    gate.open();
    assertEquals(Status.Code.NOT_FOUND, stream.end().code());
  }

  @Test
  void staysSilentUntilTheClientCancels() throws Exception {
    server.onStream(1, StreamScript.at(When.opened(), StreamAction.silence()));
    RawStream stream = client.open(object, 0, 10, 1);
    server.awaitRanges(1, TIMEOUT);
    stream.cancel();
    server.awaitNoOpenStreams(TIMEOUT);
    assertEquals(0, server.stream(1).responsesSent());
    assertFalse(server.perform(1, StreamAction.end(StatusCode.OK)));
  }

  @Test
  void waitsBeforeItAnswers() throws Exception {
    Duration delay = Duration.ofMillis(50);
    server.onStream(1, StreamScript.at(When.opened(), StreamAction.delay(delay)));
    long before = System.nanoTime();
    client.open(object).next();
    assertTrue(System.nanoTime() - before >= delay.toNanos());
  }

  @Test
  void endsWithOkWhileRangesArePending() throws Exception {
    server.onStream(1, StreamScript.at(When.sent(25), StreamAction.end(StatusCode.OK)));
    RawStream stream = client.open(object, 0, 20, 1, 50, 20, 2);
    assertEquals(Status.Code.OK, stream.end().code());
    assertEquals(25, stream.bytes(1).length + stream.bytes(2).length);
  }

  @Test
  void endsAnIdleStreamOnDemand() throws Exception {
    RawStream stream = client.open(object);
    stream.next();
    assertTrue(server.perform(1, StreamAction.end(StatusCode.ABORTED, "idle")));
    RawStream.End end = stream.end();
    assertEquals(Status.Code.ABORTED, end.code());
    assertEquals("idle", end.status().getDescription());
  }

  @Test
  void sendsEmptyRawAndStrayResponses() throws Exception {
    BidiReadObjectResponse own =
        BidiReadObjectResponse.newBuilder()
            .setReadHandle(Responses.handle(Bytes.of(HANDLE)))
            .build();
    server.onStream(
        1,
        StreamScript.builder()
            .at(When.opened(), StreamAction.emptyResponses(3))
            .at(When.opened(), StreamAction.raw(own.toByteArray()))
            .at(When.opened(), StreamAction.stray(99, 5, content(5, 4)))
            .build());
    RawStream stream = client.open(object, 0, 10, 1).halfClose();
    assertEquals(Status.Code.OK, stream.end().code());
    assertTrue(stream.next().hasMetadata());
    assertEquals(BidiReadObjectResponse.getDefaultInstance(), stream.next());
    assertEquals(BidiReadObjectResponse.getDefaultInstance(), stream.next());
    assertEquals(own, stream.next());
    assertArrayEquals(content(5, 4), stream.bytes(99));
    assertArrayEquals(content(0, 10), stream.bytes(1));
  }

  @Test
  void malformedBytesReachTheClient() throws Exception {
    server.onStream(
        1, StreamScript.at(When.answered(), StreamAction.raw(new byte[] {0x32, 0x7F, 1})));
    RawStream stream = client.open(object);
    assertEquals(Status.Code.CANCELLED, stream.end().code());
  }

  @Test
  void changesHandlesAndMetadata() throws Exception {
    server.onStream(
        1,
        StreamScript.builder()
            .readHandle(HANDLE)
            .metadataGeneration(77)
            .at(When.sent(10), StreamAction.readHandle(new byte[] {9}))
            .build());
    server.onStream(2, StreamScript.builder().withoutMetadata().withoutReadHandle().build());
    RawStream stream = client.open(object, 0, 30, 1);
    BidiReadObjectResponse first = stream.next();
    assertEquals(77, first.getMetadata().getGeneration());
    assertArrayEquals(HANDLE, first.getReadHandle().getHandle().toByteArray());
    assertEquals(9, stream.next().getReadHandle().getHandle().byteAt(0));
    assertFalse(stream.next().hasReadHandle());
    assertEquals(BidiReadObjectResponse.getDefaultInstance(), client.open(object).next());
  }

  @Test
  void answersInTheOrderAskedFor() throws Exception {
    server.onStream(
        1, StreamScript.builder().order(StreamScript.Order.SEQUENTIAL).chunkBytes(5).build());
    RawStream stream = client.open(object, 0, 10, 1, 10, 10, 2).halfClose();
    stream.end();
    assertEquals(List.of(1L, 1L, 2L, 2L), ids(stream));
    Gate gate = Gate.closed();
    server.onStream(
        2,
        StreamScript.builder()
            .order(StreamScript.Order.BY_MESSAGE)
            .at(When.opened(), StreamAction.hold(gate))
            .build());
    RawStream second = client.open(object, 0, 20, 1, 20, 20, 2).send(40, 20, 3).halfClose();
    server.awaitRanges(5, TIMEOUT);
    gate.open();
    second.end();
    assertEquals(List.of(1L, 2L, 1L, 2L, 3L, 3L), ids(second));
  }

  @Test
  void packsPiecesOfSeveralRangesIntoOneResponse() throws Exception {
    server.onStream(1, StreamScript.builder().piecesPerResponse(3).build());
    RawStream stream = client.open(object, 0, 20, 1, 50, 10, 2).halfClose();
    stream.end();
    assertEquals(1, stream.received().size());
    assertEquals(List.of(1L, 2L, 1L), ids(stream));
    assertArrayEquals(content(0, 20), stream.bytes(1));
  }

  @Test
  void readsNoRequestsUntilTheGateOpens() throws Exception {
    Gate gate = Gate.closed();
    server.onStream(1, StreamScript.at(When.opened(), StreamAction.stopReading(gate)));
    RawStream stream = client.open(object, 0, 20, 1).send(20, 20, 2).send(40, 20, 3);
    gate.awaitReached(TIMEOUT);
    server.awaitStream(1, "range 1", record -> record.rangesFinished() == 1, TIMEOUT);
    assertEquals(1, server.stream(1).messages().size());
    gate.open();
    stream.halfClose();
    assertEquals(Status.Code.OK, stream.end().code());
    assertEquals(3, server.stream(1).messages().size());
  }

  @Test
  void actsOnRangesReceivedAndFinishedAndRunsTasks() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    server.onStream(
        1,
        StreamScript.builder()
            .at(When.rangesFinished(2), StreamAction.run(ran::incrementAndGet))
            .at(When.rangesReceived(3), StreamAction.end(StatusCode.UNAVAILABLE))
            .build());
    RawStream stream = client.open(object, 0, 10, 1, 10, 10, 2);
    server.awaitStream(1, "2 ranges", record -> record.rangesFinished() == 2, TIMEOUT);
    stream.send(20, 10, 3);
    assertEquals(Status.Code.UNAVAILABLE, stream.end().code());
    assertEquals(1, ran.get());
    assertEquals(0, stream.bytes(3).length);
  }

  @Test
  void aTaskThatThrowsEndsTheStream() throws Exception {
    server.onStream(
        1,
        StreamScript.at(
            When.answered(),
            StreamAction.run(
                () -> {
                  throw new IllegalStateException("from the test");
                })));
    RawStream.End end = client.open(object).end();
    assertEquals(Status.Code.INTERNAL, end.code());
    assertTrue(end.status().getDescription().contains("from the test"), end.toString());
  }

  @Test
  void scriptsStreamsOfOneObject() throws Exception {
    FakeObject other = server.put("bucket", "other", ObjectContent.generated(4, 10));
    other.onStream(2, StreamScript.at(When.opened(), StreamAction.end(StatusCode.ABORTED)));
    assertEquals(Status.Code.OK, client.open(other).halfClose().end().code());
    assertEquals(Status.Code.OK, client.open(object).halfClose().end().code());
    assertEquals(Status.Code.ABORTED, client.open(other).end().code());
    server.onEveryStream(StreamScript.at(When.called(), StreamAction.silence())).clearScripts();
    assertEquals(Status.Code.OK, client.open(other).halfClose().end().code());
  }

  private static byte[] bytesOf(BidiReadObjectResponse response) {
    return response.getObjectDataRanges(0).getChecksummedData().getContent().toByteArray();
  }

  private static List<Long> ids(RawStream stream) {
    return stream.pieces().stream().map(piece -> piece.getReadRange().getReadId()).toList();
  }
}
