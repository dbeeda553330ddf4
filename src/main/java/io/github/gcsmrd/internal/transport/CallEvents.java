// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.wire.Response;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What gRPC tells of one of its calls, on whatever thread, passed on to {@link GrpcStreamCall} as
 * coming from here. Thread-safe as far as gRPC needs: it calls one method of the listener at a
 * time.
 */
final class CallEvents extends ClientCall.Listener<Response> {
  private final GrpcStreamCall target;
  private volatile @Nullable Metadata receivedTrailers;

  CallEvents(GrpcStreamCall target) {
    this.target = target;
  }

  /**
   * The tracer that hears of bytes before they are a message, of the server's trailers, and of the
   * headers on their way: on the loop and at once, while {@code onReady} can be delayed.
   */
  ClientStreamTracer.Factory tracerFactory() {
    return new ClientStreamTracer.Factory() {
      @Override
      public ClientStreamTracer newClientStreamTracer(
          ClientStreamTracer.StreamInfo info, Metadata headers) {
        return new Tracer();
      }
    };
  }

  @Override
  public void onReady() {
    target.arriveReady(this);
  }

  @Override
  public void onMessage(Response response) {
    target.arriveResponse(this, response);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    target.arriveEnd(this, StatusTranslator.translate(status, trailers, receivedTrailers));
  }

  private final class Tracer extends ClientStreamTracer {
    @Override
    public void outboundHeaders() {
      target.headersSent(CallEvents.this);
    }

    @Override
    public void inboundWireSize(long bytes) {
      target.arriveBytes(CallEvents.this);
    }

    @Override
    public void inboundTrailers(Metadata trailers) {
      receivedTrailers = trailers;
    }
  }
}
