// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamListener;
import io.github.gcsmrd.internal.stream.StreamTransport;
import io.github.gcsmrd.internal.wire.Response;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.Optional;

/**
 * Opens calls on one connection. Thread-safe; {@link #open} on the loop only.
 *
 * <p>No call has a deadline: a healthy stream lives as long as its session. A call over the
 * server's limit of concurrent streams waits without a sign: its listener hears {@code onReady} no
 * sooner than the server has room, which is how a caller that looks at the clock can tell.
 */
final class GrpcStreamTransport implements StreamTransport {
  private static final String METHOD = "google.storage.v2.Storage/BidiReadObject";

  private final NettyLoop loop;
  private final ManagedChannel channel;
  private final RequestHeaders headers;
  private final CallOptions options;
  private final MethodDescriptor<byte[], Response> method;

  GrpcStreamTransport(
      NettyLoop loop,
      ManagedChannel channel,
      RequestHeaders headers,
      Optional<TransportCredentials> credentials) {
    this.loop = loop;
    this.channel = channel;
    this.headers = headers;
    this.options =
        credentials
            .map(given -> CallOptions.DEFAULT.withCallCredentials(given.callCredentials()))
            .orElse(CallOptions.DEFAULT);
    this.method =
        MethodDescriptor.<byte[], Response>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(METHOD)
            .setRequestMarshaller(new RequestMarshaller())
            .setResponseMarshaller(new ResponseMarshaller(loop))
            .build();
  }

  ManagedChannel channel() {
    return channel;
  }

  @Override
  public Loop loop() {
    return loop;
  }

  @Override
  public StreamCall open(OpenRequest request, StreamListener listener) {
    assert loop.inLoop();
    Metadata composed;
    try {
      composed = headers.of(request);
    } catch (IllegalArgumentException unsendable) {
      return refuse(unsendable, listener);
    }
    forgetFailedConnect();
    GrpcStreamCall call = new GrpcStreamCall(loop, listener);
    boolean namesProject = composed.containsKey(RequestHeaders.USER_PROJECT_KEY);
    call.start(
        channel,
        method,
        options.withOption(OffLoopCallCredentials.NAMES_USER_PROJECT, namesProject),
        composed);
    return call;
  }

  private StreamCall refuse(IllegalArgumentException unsendable, StreamListener listener) {
    String why = String.valueOf(unsendable.getMessage());
    StreamEnd end =
        StatusTranslator.local(StatusCode.INVALID_ARGUMENT, why, Origin.LOCAL, unsendable);
    loop.execute(() -> listener.onEnd(end));
    return new RefusedCall();
  }

  /**
   * Makes gRPC try the address again, now. After a failed connect its channel answers every call
   * with the old failure until a connect succeeds, and waits between its tries by a back-off of its
   * own, unaware of ours. Resetting that back-off starts a connect but still fails the call at
   * hand; going idle makes this call wait for a fresh look-up and connect. Nothing is lost by it: a
   * channel in this state has no connection.
   */
  private void forgetFailedConnect() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.enterIdle();
    }
  }
}
