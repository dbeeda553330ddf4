// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.ReadHandle;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.Bytes;
import io.github.gcsmrd.testing.FakeObject;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StatusDetails;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.StreamScript.Order;
import io.github.gcsmrd.testing.When;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirects and read handles. */
@Timeout(60)
class RedirectsTest {
  private static final String PARAMS = "x-goog-request-params";
  private static final String BUCKET_PARAM = "bucket=projects/_/buckets/bucket";

  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  private StreamRecord.Spec spec(int stream) {
    return gcs.server().stream(stream).spec().orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ReadHandle handle(String text) {
    return ReadHandle.of(
        GcsMrdFixture.BUCKET, GcsMrdFixture.OBJECT, OptionalLong.empty(), bytes(text));
  }

  @Test
  void b52_redirectIsFollowedWithTokenAndHandle() {
    FakeObject object = gcs.put(1_000, ObjectOptions.builder().generation(5).build());
    String token = "a/b=c%2F==&d e";
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .order(Order.SEQUENTIAL)
                .at(When.sent(30), StreamAction.redirect(token, bytes("H")))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    byte[] first = new byte[100];
    byte[] second = new byte[100];
    get(
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(first, 0, ByteRange.of(0, 100)),
                RangeRequest.into(second, 0, ByteRange.of(500, 100)))));
    assertRange(object.content(), 0, 100, first);
    assertRange(object.content(), 500, 100, second);
    StreamRecord redirected = gcs.server().stream(2);
    assertEquals(List.of(BUCKET_PARAM + "&routing_token=" + token), redirected.header(PARAMS));
    assertEquals(Optional.of(token), spec(2).routingToken());
    assertEquals(Optional.of(Bytes.utf8("H")), spec(2).readHandle());
    assertEquals(5, spec(2).generation());
    StreamRecord.Range rest = redirected.messages().get(0).ranges().get(0);
    assertEquals(30, rest.offset());
    assertEquals(70, rest.length());
    assertEquals(500, redirected.messages().get(0).ranges().get(1).offset());
  }

  @Test
  void b52_redirectOfTheOpen() {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.opened(), StreamAction.redirect("T")));
    gcs.assertReads(gcs.open(), content, 0, 10);
    assertEquals(Optional.of("T"), spec(2).routingToken());
  }

  /** The token can't be sent as a header: the client says so and sends no garbage. */
  @Test
  void b52_unsendableTokenFailsTheSession() {
    gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.opened(), StreamAction.redirect("T\u00e9\n")));
    SessionException e = failure(SessionException.class, gcs.open().read(ByteRange.of(0, 10)));
    assertTrue(e.getMessage().contains(PARAMS), e::getMessage);
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b53_redirectIsNoFailure() {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.sent(4), StreamAction.redirect("T")));
    MultiRangeDownloader mrd = gcs.opened(options().retryPolicy(RetryPolicy.never()));
    gcs.assertReads(mrd, content, 0, 10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b53_redirectsForEverAreBounded(boolean answered) {
    gcs.put(100);
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .ranges(RangeScript.builder().hold(0, gcs.gate()).build())
                .at(answered ? When.answered() : When.opened(), StreamAction.redirect("T"))
                .build());
    MultiRangeDownloader mrd = gcs.open();
    GcsException e = failure(GcsException.class, mrd.read(ByteRange.of(0, 10)));
    assertTrue(e.getMessage().contains("redirect"), e::getMessage);
    assertTrue(gcs.server().streams().size() <= 10, () -> gcs.server().streams().toString());
  }

  /** An answer without a byte is no progress. */
  @Test
  void rule16_redirectsAfterEmptyAnswersAreBounded() {
    gcs.put(100);
    gcs.server()
        .onEveryStream(
            StreamScript.builder()
                .ranges(RangeScript.builder().hold(0, gcs.gate()).build())
                .at(When.rangesReceived(1), StreamAction.emptyResponses(1))
                .at(When.rangesReceived(1), StreamAction.redirect("T"))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    GcsException e = failure(GcsException.class, mrd.read(ByteRange.of(0, 10)));
    assertTrue(e.getMessage().contains("redirect"), e::getMessage);
    assertTrue(gcs.server().streams().size() <= 10);
  }

  @Test
  void b53_redirectsWithProgressGoOn() {
    ObjectContent content = gcs.put(100);
    gcs.server().onEveryStream(StreamScript.at(When.sent(5), StreamAction.redirect("T")));
    gcs.assertReads(gcs.open(), content, 0, 100);
  }

  @Test
  void rule17_redirectWithoutHandleKeepsTheOldOne() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .readHandle(bytes("first"))
                .at(When.sent(4), StreamAction.redirect("T"))
                .build())
        .onStream(
            2,
            StreamScript.builder()
                .withoutReadHandle()
                .at(
                    When.sent(2),
                    StreamAction.redirect(
                        StatusCode.ABORTED, Optional.empty(), Optional.of(bytes("second"))))
                .build());
    gcs.assertReads(gcs.opened(), content, 0, 10);
    assertEquals(Optional.of(Bytes.utf8("first")), spec(2).readHandle());
    assertEquals(Optional.of(Bytes.utf8("second")), spec(3).readHandle());
    assertEquals(Optional.of("T"), spec(3).routingToken());
  }

  @Test
  void redirectOfAnIdleStreamIsKeptForTheNext() throws Exception {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.opened();
    gcs.server().perform(1, StreamAction.redirect("T", bytes("H")));
    gcs.server().awaitNoOpenStreams(SOON);
    gcs.assertReads(mrd, content, 0, 10);
    assertEquals(Optional.of("T"), spec(2).routingToken());
    assertEquals(Optional.of(Bytes.utf8("H")), spec(2).readHandle());
  }

  static Stream<StatusDetails> unreadable() {
    return Stream.of(
        StatusDetails.raw(new byte[] {(byte) 0xFF, (byte) 0xFF, 1}),
        StatusDetails.none(),
        StatusDetails.other(
            "type.googleapis.com/google.storage.v2.BidiReadObjectRedirectedError",
            new byte[] {(byte) 0xFF}),
        StatusDetails.other("type.googleapis.com/google.rpc.ErrorInfo", new byte[] {1}));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void b55_abortedWithoutRedirectIsRetried(StatusDetails details) {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(
            1,
            StreamScript.at(When.sent(4), StreamAction.end(StatusCode.ABORTED, "plain", details)));
    gcs.assertReads(gcs.opened(), content, 0, 10);
    assertEquals(Optional.empty(), spec(2).routingToken());
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void b55_statusIsToldWhateverTheDetails(StatusDetails details) {
    gcs.put(100);
    gcs.server()
        .onStream(
            1,
            StreamScript.at(
                When.sent(4), StreamAction.end(StatusCode.PERMISSION_DENIED, "plain", details)));
    AccessDeniedException e =
        failure(AccessDeniedException.class, gcs.opened().read(ByteRange.of(0, 10)));
    assertTrue(e.getMessage().contains("plain"), e::getMessage);
  }

  @Test
  void b55_redirectIsFoundAmongOtherDetails() {
    ObjectContent content = gcs.put(100);
    StatusDetails details =
        StatusDetails.other("type.googleapis.com/google.rpc.ErrorInfo", new byte[] {1})
            .and(StatusDetails.redirect(Optional.of("T"), Optional.empty()));
    gcs.server()
        .onStream(
            1, StreamScript.at(When.opened(), StreamAction.end(StatusCode.ABORTED, "", details)));
    gcs.assertReads(gcs.open(), content, 0, 10);
    assertEquals(Optional.of("T"), spec(2).routingToken());
  }

  @Test
  void b57_newestHandleIsUsed() {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .chunkBytes(10)
                .readHandle(bytes("H1"))
                .at(When.sent(20), StreamAction.readHandle(bytes("H2")))
                .at(When.sent(50), StreamAction.end(StatusCode.UNAVAILABLE))
                .build())
        .onStream(2, StreamScript.builder().withoutReadHandle().build());
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, content, 0, 100);
    assertEquals(Optional.of(Bytes.utf8("H2")), spec(2).readHandle());
    ReadHandle newest = mrd.readHandle().orElseThrow();
    assertEquals(Bytes.utf8("H2"), Bytes.of(newest.toByteArray()));
    gcs.assertReads(gcs.open(options().readHandle(newest)), content, 5, 10);
    assertEquals(Optional.of(Bytes.utf8("H2")), spec(3).readHandle());
  }

  /** What outlives its message is a copy of it: the memory has been used for much else since. */
  @Test
  void rule27_handleAndMetadataOutliveTheirMessage() {
    ObjectContent content = gcs.put(4 << 20);
    byte[] handle = new byte[10_000];
    Arrays.fill(handle, (byte) 'h');
    gcs.server().onStream(1, StreamScript.builder().readHandle(handle).build());
    MultiRangeDownloader mrd = gcs.opened();
    for (int i = 0; i < 4; i++) {
      gcs.assertReads(mrd, content, 0, 4 << 20);
    }
    gcs.server().perform(1, StreamAction.end(StatusCode.UNAVAILABLE));
    gcs.assertReads(mrd, content, 7, 100);
    assertEquals(Optional.of(Bytes.of(handle)), spec(2).readHandle());
    ObjectInfo info = get(mrd.opened());
    assertEquals("etag-1", info.etag());
    assertEquals(GcsMrdFixture.OBJECT, info.object());
  }

  @Test
  void b102_handleBringsNoMetadata() {
    ObjectContent content = gcs.put(100);
    MultiRangeDownloader mrd = gcs.open(options().readHandle(handle("H")));
    ObjectInfo info = get(mrd.opened());
    assertEquals(OptionalLong.empty(), info.sizeBytes());
    assertEquals(OptionalLong.empty(), info.generation());
    gcs.assertReads(mrd, content, 10, 20);
    assertRange(content, 90, 10, get(mrd.read(ByteRange.last(10))));
    assertRange(content, 0, 100, get(mrd.read(ByteRange.all())));
  }

  @Test
  void b102_redirectWithHandleKeepsTheMetadata() {
    FakeObject object = gcs.put(100, ObjectOptions.builder().generation(8).build());
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.redirect("T", bytes("H"))))
        .onStream(2, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)));
    MultiRangeDownloader mrd = gcs.opened();
    gcs.assertReads(mrd, object.content(), 0, 20);
    assertEquals(100, get(mrd.opened()).sizeBytes().orElseThrow());
    assertEquals(8, spec(2).generation());
    assertEquals(8, spec(3).generation());
  }

  @Test
  void b103_specStaysWholeBesideAHandle() {
    FakeObject object = gcs.put(100, ObjectOptions.builder().generation(8).build());
    gcs.server().onStream(1, StreamScript.at(When.sent(4), StreamAction.redirect("T", bytes("H"))));
    gcs.assertReads(gcs.opened(), object.content(), 0, 20);
    assertEquals("projects/_/buckets/bucket", spec(2).bucket());
    assertEquals("object", spec(2).object());
    assertEquals(8, spec(2).generation());
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_FOUND", "INVALID_ARGUMENT"})
  void b103_refusedHandleIsDroppedOnce(StatusCode code) {
    ObjectContent content = gcs.put(100);
    gcs.server().onStream(1, StreamScript.at(When.opened(), StreamAction.end(code)));
    gcs.assertReads(gcs.open(options().readHandle(handle("stale"))), content, 0, 10);
    assertEquals(Optional.empty(), spec(2).readHandle());
    assertEquals(2, gcs.server().streams().size());
  }

  @Test
  void b103_refusalWithoutHandleIsTheError() {
    gcs.put(100);
    gcs.server()
        .onEveryStream(StreamScript.at(When.opened(), StreamAction.end(StatusCode.NOT_FOUND)));
    failure(
        ObjectNotFoundException.class,
        gcs.open(options().readHandle(handle("stale"))).read(ByteRange.of(0, 10)));
    assertEquals(2, gcs.server().streams().size());
  }

  /** Without the handle another generation could answer, and nobody would know. */
  @Test
  void b103_handleOfUnknownGenerationIsNotDroppedAfterBytes() {
    gcs.put(100);
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onStream(2, StreamScript.at(When.opened(), StreamAction.end(StatusCode.NOT_FOUND)));
    ObjectNotFoundException e =
        failure(
            ObjectNotFoundException.class,
            gcs.open(options().readHandle(handle("H"))).read(ByteRange.of(0, 10)));
    assertEquals(4, e.context().bytesDelivered());
    assertEquals(2, gcs.server().streams().size());
  }
}
