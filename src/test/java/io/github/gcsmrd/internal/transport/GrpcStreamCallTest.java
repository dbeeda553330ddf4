// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import io.github.gcsmrd.internal.wire.Response;
import io.github.gcsmrd.internal.wire.ResponseParser;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GrpcStreamCallTest {

  /** Answers each request with one message, and the half-close with OK. */
  private static ServerCall.Listener<byte[]> answerEach(ServerCall<byte[], byte[]> call) {
    call.sendHeaders(new Metadata());
    call.request(1000);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] request) {
        call.sendMessage(TransportFixture.response(request.length, 100));
      }

      @Override
      public void onHalfClose() {
        call.close(Status.OK, new Metadata());
      }
    };
  }

  /** Sends so many messages at once. */
  private static RawServer.Handler sending(int messages, int bytes) {
    return (call, headers) -> {
      call.sendHeaders(new Metadata());
      call.request(1);
      for (int i = 0; i < messages; i++) {
        call.sendMessage(TransportFixture.response(i, bytes));
      }
      return RawServer.ignore();
    };
  }

  private static long readId(Response response) {
    return assertInstanceOf(ReceivedMessage.class, response).range(0).readId();
  }

  @Test
  void requestsAndResponsesPassInOrderAndHalfCloseEndsWithOk() {
    try (RawServer server = RawServer.start((call, headers) -> answerEach(call));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      StreamCall call = fixture.open(listener, 10);
      listener.awaitReady();
      for (int i = 1; i <= 10; i++) {
        byte[] request = new byte[i];
        fixture.run(listener, () -> call.send(request));
      }
      for (int i = 1; i <= 10; i++) {
        Response response = listener.awaitResponse();
        assertEquals(i, readId(response));
        response.close();
      }
      fixture.run(listener, call::halfClose);
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.OK, end.code());
      assertEquals(Origin.SERVER, end.origin());
    }
  }

  @Test
  void methodsAfterTheEndDoNothing() {
    try (RawServer server = RawServer.start((call, headers) -> answerEach(call));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      StreamCall call = fixture.open(listener, 1);
      fixture.run(listener, call::halfClose);
      fixture.run(listener, () -> call.send(new byte[1]));
      fixture.run(listener, call::halfClose);
      listener.awaitEnd();
      fixture.run(
          listener,
          () -> {
            call.send(new byte[1]);
            call.request(1);
            call.halfClose();
            call.cancel("late");
            assertFalse(call.isReady());
          });
      assertEquals(1, listener.ends.size());
    }
  }

  /** The messages are at the client before they are asked for, so gRPC answers inside request(). */
  @Test
  void messagesAskedForOutsideACallbackComeAfterTheRequestReturned() {
    AtomicInteger calls = new AtomicInteger();
    RawServer.Handler burstThenOne =
        (call, headers) ->
            sending(calls.getAndIncrement() == 0 ? 5 : 1, 10).startCall(call, headers);
    try (RawServer server = RawServer.start(burstThenOne);
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener first = fixture.listener();
      StreamCall call = fixture.open(first);
      first.awaitReady();
      awaitRoundTrip(server, fixture);
      fixture.run(first, () -> call.request(5));
      for (int i = 0; i < 5; i++) {
        Response response = first.awaitResponse();
        assertEquals(i, readId(response));
        response.close();
      }
    }
  }

  /** A second call's answer on the same connection follows all that the first call was sent. */
  private static void awaitRoundTrip(RawServer server, TransportFixture fixture) {
    TransportFixture.awaitThat("first call arrived", () -> !server.headers.isEmpty());
    RecordingListener second = fixture.listener();
    fixture.open(second, 1);
    second.awaitResponse().close();
  }

  @Test
  void messagesAskedForInsideACallbackComeAfterIt() {
    try (RawServer server = RawServer.start(sending(50, 10));
        TransportFixture fixture = new TransportFixture(server.port())) {
      CompletableFuture<StreamCall> opened = new CompletableFuture<>();
      RecordingListener listener =
          fixture.watch(
              new RecordingListener(fixture.loop()) {
                @Override
                void handleResponse(Response response) {
                  super.handleResponse(response);
                  opened.join().request(3);
                }
              });
      opened.complete(fixture.open(listener));
      fixture.run(listener, () -> opened.join().request(1));
      for (int i = 0; i < 50; i++) {
        Response response = listener.awaitResponse();
        assertEquals(i, readId(response));
        response.close();
      }
    }
  }

  @Test
  void cancelRightAfterOpenIsToldOnceAndLater() {
    try (RawServer server = RawServer.start(sending(1, 10));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      TransportFixture.onLoop(
          fixture.loop(),
          () -> {
            listener.inMethod = true;
            StreamCall call =
                fixture.transport.transport(0).open(TransportFixture.REQUEST, listener);
            call.cancel("no longer wanted");
            listener.inMethod = false;
            return call;
          });
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.CANCELLED, end.code());
      assertEquals(Origin.LOCAL, end.origin());
      assertEquals("no longer wanted", end.description());
    }
  }

  @Test
  void cancelInsideACallbackEndsTheCallAndReleasesWhatComesLate() {
    try (RawServer server = RawServer.start(sending(40, 100_000));
        TransportFixture fixture = new TransportFixture(server.port())) {
      CompletableFuture<StreamCall> opened = new CompletableFuture<>();
      RecordingListener listener =
          fixture.watch(
              new RecordingListener(fixture.loop()) {
                @Override
                void handleResponse(Response response) {
                  super.handleResponse(response);
                  opened.join().request(20);
                  opened.join().cancel("enough");
                }
              });
      opened.complete(fixture.open(listener));
      fixture.run(listener, () -> opened.join().request(20));
      assertEquals(Origin.LOCAL, listener.awaitEnd().origin());
      assertEquals(1, listener.responses.size(), "messages after the cancel");
      assertEquals(1, listener.ends.size());
    }
  }

  @Test
  void aListenerThatThrowsEndsItsOwnCallAlone() {
    try (RawServer server = RawServer.start((call, headers) -> answerEach(call));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener failing =
          fixture.watch(
              new RecordingListener(fixture.loop()) {
                @Override
                void handleResponse(Response response) {
                  response.close();
                  throw new IllegalStateException("on purpose");
                }
              });
      RecordingListener healthy = fixture.listener();
      StreamCall bad = fixture.open(failing, 5);
      StreamCall good = fixture.open(healthy, 5);
      fixture.run(failing, () -> bad.send(new byte[1]));
      StreamEnd end = failing.awaitEnd();
      assertEquals(StatusCode.INTERNAL, end.code());
      assertEquals(Origin.LOCAL, end.origin());
      assertTrue(end.description().contains("on purpose"), end.description());
      fixture.run(healthy, () -> good.send(new byte[7]));
      Response response = healthy.awaitResponse();
      assertEquals(7, readId(response));
      response.close();
    }
  }

  @Test
  void theContextOfTheOpenerDoesNotEndTheCall() {
    try (RawServer server = RawServer.start((call, headers) -> answerEach(call));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      Context.CancellableContext context = Context.current().withCancellation();
      StreamCall call =
          TransportFixture.onLoop(
              fixture.loop(),
              () ->
                  context.call(
                      () ->
                          fixture.transport.transport(0).open(TransportFixture.REQUEST, listener)));
      fixture.run(listener, () -> call.request(1));
      context.cancel(new IllegalStateException("the opener is gone"));
      fixture.run(listener, () -> call.send(new byte[3]));
      Response response = listener.awaitResponse();
      assertEquals(3, readId(response));
      response.close();
    }
  }

  @Test
  void noDeadlineIsSent() throws Exception {
    try (RawServer server = RawServer.start(sending(1, 1));
        TransportFixture fixture = new TransportFixture(server.port())) {
      fixture.open(fixture.listener());
      Metadata.Key<String> timeout =
          Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);
      assertNull(server.nextHeaders().get(timeout));
    }
  }

  /** The failed look-up is told by the thread that looked up. */
  @Test
  void aNameThatDoesNotResolveIsToldOnTheLoop() {
    try (TransportFixture fixture =
        new TransportFixture(1, options -> options.endpoint("no-such-host.invalid", 1))) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.UNAVAILABLE, end.code());
      assertEquals(Origin.TRANSPORT, end.origin());
    }
  }

  /** The window is a sixteenth of the message, so it comes in many reads. */
  @Test
  void bytesAreToldBeforeTheirMessageIsWhole() {
    try (RawServer server = RawServer.start(sending(1, 1 << 20));
        TransportFixture fixture =
            new TransportFixture(
                server.port(), options -> options.flowControlWindowBytes(1 << 16))) {
      AtomicInteger before = new AtomicInteger();
      RecordingListener listener =
          fixture.watch(
              new RecordingListener(fixture.loop()) {
                @Override
                void handleResponse(Response response) {
                  before.set(byteSignals.get());
                  super.handleResponse(response);
                }
              });
      fixture.open(listener, 1);
      listener.awaitResponse().close();
      assertTrue(before.get() > 4, before + " signs of bytes before the message");
    }
  }

  @Test
  void heldMessagesPinMemoryUntilTheyAreReleasedOnAnyThread() throws Exception {
    try (RawServer server = RawServer.start(sending(4, 2 << 20));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      StreamCall call = fixture.open(listener, 4);
      BlockingQueue<Response> held = new LinkedBlockingQueue<>();
      for (int i = 0; i < 4; i++) {
        held.add(listener.awaitResponse());
      }
      long pinned = fixture.transport.pinnedDirectBytes();
      assertTrue(pinned >= 4 * (2L << 20), pinned + " bytes pinned");
      fixture.run(listener, () -> call.cancel("done"));
      listener.awaitEnd();
      Thread other = new Thread(() -> held.forEach(Response::close));
      other.start();
      other.join(TimeUnit.SECONDS.toMillis(10));
      TransportFixture.awaitThat(
          "memory returns", () -> fixture.transport.pinnedDirectBytes() == 0);
    }
  }

  /** A message may still be on its way through gRPC when the client's loops end. */
  @Test
  void aResponseThatComesAfterTheLoopIsGoneIsReleased() {
    byte[] encoded = TransportFixture.response(1, 100);
    MessageMemory memory = new MessageMemory(encoded.length, () -> {});
    ByteBuffer[] fragments = {ByteBuffer.wrap(encoded)};
    Response response = ResponseParser.parse(fragments, 1, memory);
    assertEquals(1, memory.references());
    Loop gone = new GoneLoop();
    GrpcStreamCall call = new GrpcStreamCall(gone, new RecordingListener(gone), null);
    new CallEvents(call).onMessage(response);
    assertEquals(0, memory.references());
  }

  /** A loop that was shut down. */
  private static final class GoneLoop implements Loop {
    @Override
    public boolean inLoop() {
      return false;
    }

    @Override
    public void execute(Runnable task) {
      throw new RejectedExecutionException("shut down");
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      throw new RejectedExecutionException("shut down");
    }

    @Override
    public long now() {
      return 0;
    }
  }
}
