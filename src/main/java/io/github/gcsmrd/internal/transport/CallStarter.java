// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.StreamTransport.OpenRequest;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.Response;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.Optional;

/**
 * Starts gRPC's calls for one loop. Immutable; {@link #start} on the loop only.
 *
 * <p>No call has a deadline: a healthy stream lives as long as its session.
 */
final class CallStarter {
  private static final String METHOD = "google.storage.v2.Storage/BidiReadObject";

  private final RequestHeaders headers;
  private final CallOptions options;
  private final MethodDescriptor<byte[], Response> method;

  CallStarter(
      NettyLoop loop,
      RequestHeaders headers,
      Optional<TransportCredentials> credentials,
      HoldLimit limit) {
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
            .setResponseMarshaller(new ResponseMarshaller(loop, limit))
            .build();
  }

  /**
   * The headers of a call.
   *
   * @throws IllegalArgumentException if a value can't be sent as a header
   */
  Metadata headers(OpenRequest request) {
    return headers.of(request);
  }

  /**
   * Starts a call. Under the root context: a call would die with the context of whoever happened to
   * open it, and would inherit that one's deadline.
   *
   * @param composed what {@link #headers} made; it stays unchanged
   */
  ClientCall<byte[], Response> start(ManagedChannel channel, Metadata composed, CallEvents events) {
    forgetFailedConnect(channel);
    boolean namesProject = composed.containsKey(RequestHeaders.USER_PROJECT_KEY);
    // gRPC adds to what it is given.
    Metadata sent = new Metadata();
    sent.merge(composed);
    Context caller = Context.ROOT.attach();
    try {
      ClientCall<byte[], Response> call =
          channel.newCall(
              method,
              options
                  .withOption(OffLoopCallCredentials.NAMES_USER_PROJECT, namesProject)
                  .withStreamTracerFactory(events.tracerFactory()));
      call.start(events, sent);
      return call;
    } finally {
      Context.ROOT.detach(caller);
    }
  }

  /**
   * Makes gRPC try the address again, now. After a failed connect its channel answers every call
   * with the old failure until a connect succeeds, and waits between its tries by a back-off of its
   * own, unaware of ours. Resetting that back-off starts a connect but still fails the call at
   * hand; going idle makes this call wait for a fresh look-up and connect. Nothing is lost by it: a
   * channel in this state has no connection.
   */
  private static void forgetFailedConnect(ManagedChannel channel) {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.enterIdle();
    }
  }
}
