// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.stream.StreamListener;
import io.github.gcsmrd.internal.wire.Response;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One call over gRPC. Confined to its loop, but for what {@link CallEvents} brings from gRPC's
 * other threads.
 *
 * <p>{@link LoopSerializer} says when the listener is called: never inside a method of this class,
 * nor inside another call of the listener. A listener that throws ends its call with {@link
 * StatusCode#INTERNAL}, made locally. Responses that come after {@link #cancel} or the end are
 * closed.
 */
final class GrpcStreamCall implements StreamCall {
  private static final System.Logger LOG = System.getLogger(GrpcStreamCall.class.getName());

  private final LoopSerializer serializer;
  private final StreamListener listener;

  private @Nullable ClientCall<byte[], Response> call;
  private @Nullable StreamEnd ownEnd;
  private boolean halfClosed;
  private boolean ended;

  GrpcStreamCall(Loop loop, StreamListener listener) {
    this.serializer = new LoopSerializer(loop);
    this.listener = listener;
  }

  /**
   * Starts the call. Under the root context: a call would die with the context of whoever happened
   * to open it, and would inherit that one's deadline.
   */
  void start(
      Channel channel,
      MethodDescriptor<byte[], Response> method,
      CallOptions options,
      Metadata headers) {
    CallEvents events = new CallEvents(this);
    boolean outermost = serializer.enter();
    Context caller = Context.ROOT.attach();
    try {
      call = channel.newCall(method, options.withStreamTracerFactory(events.tracerFactory()));
      call.start(events, headers);
    } catch (RuntimeException failure) {
      arriveEnd(
          StatusTranslator.local(
              StatusCode.INTERNAL, "the call could not start", Origin.TRANSPORT, failure));
    } finally {
      Context.ROOT.detach(caller);
      serializer.exit(outermost);
    }
  }

  @Override
  public void send(byte[] encodedRequest) {
    ClientCall<byte[], Response> live = live();
    if (live == null || halfClosed) {
      return;
    }
    boolean outermost = serializer.enter();
    try {
      live.sendMessage(encodedRequest);
    } finally {
      serializer.exit(outermost);
    }
  }

  @Override
  public boolean isReady() {
    ClientCall<byte[], Response> live = live();
    return live != null && !halfClosed && live.isReady();
  }

  @Override
  public void request(int count) {
    ClientCall<byte[], Response> live = live();
    if (live == null) {
      return;
    }
    boolean outermost = serializer.enter();
    try {
      live.request(count);
    } finally {
      serializer.exit(outermost);
    }
  }

  @Override
  public void halfClose() {
    ClientCall<byte[], Response> live = live();
    if (live == null || halfClosed) {
      return;
    }
    halfClosed = true;
    boolean outermost = serializer.enter();
    try {
      live.halfClose();
    } finally {
      serializer.exit(outermost);
    }
  }

  @Override
  public void cancel(String reason) {
    endLocally(StatusCode.CANCELLED, reason, null);
  }

  private void endLocally(StatusCode code, String reason, @Nullable Throwable cause) {
    ClientCall<byte[], Response> live = live();
    if (live == null) {
      return;
    }
    ownEnd = StatusTranslator.local(code, reason, Origin.LOCAL, cause);
    boolean outermost = serializer.enter();
    try {
      live.cancel(reason, cause);
    } finally {
      serializer.exit(outermost);
    }
  }

  /** The call, unless it has ended or been cancelled. */
  private @Nullable ClientCall<byte[], Response> live() {
    return ended || ownEnd != null ? null : call;
  }

  void arriveReady() {
    tryArrive(this::tellReady);
  }

  /** The way of nearly all messages allocates nothing. */
  void arriveResponse(Response response) {
    if (serializer.isFree()) {
      serializer.begin();
      try {
        tellResponse(response);
      } finally {
        serializer.end();
      }
    } else if (!tryArrive(() -> tellResponse(response))) {
      response.close();
    }
  }

  void arriveBytes() {
    if (serializer.isFree()) {
      serializer.begin();
      try {
        tellBytes();
      } finally {
        serializer.end();
      }
    } else {
      tryArrive(this::tellBytes);
    }
  }

  void arriveEnd(StreamEnd end) {
    tryArrive(() -> tellEnd(end));
  }

  private boolean tryArrive(Runnable event) {
    try {
      serializer.arrive(event);
      return true;
    } catch (RejectedExecutionException loopIsGone) {
      LOG.log(Level.DEBUG, "an event came after the loop was shut down", loopIsGone);
      return false;
    }
  }

  private void tellReady() {
    if (live() == null) {
      return;
    }
    try {
      listener.onReady();
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void tellResponse(Response response) {
    if (live() == null) {
      response.close();
      return;
    }
    try {
      listener.onResponse(response);
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void tellBytes() {
    if (live() == null) {
      return;
    }
    try {
      listener.onBytes();
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void tellEnd(StreamEnd end) {
    if (ended) {
      return;
    }
    ended = true;
    try {
      listener.onEnd(ownEnd == null ? end : ownEnd);
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "a stream failed while its end was handled", failure);
    }
  }

  private void failed(Throwable failure) {
    LOG.log(Level.ERROR, "a stream failed in a callback and is cancelled", failure);
    endLocally(StatusCode.INTERNAL, "the library failed in a callback: " + failure, failure);
  }
}
