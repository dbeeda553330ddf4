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
import io.grpc.ClientCall;
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
 *
 * <p>While nothing of it has been sent, it can {@link #move} to another connection: one call of
 * gRPC's takes the place of another, and whatever the old one still tells is dropped.
 */
final class GrpcStreamCall implements StreamCall {
  private static final System.Logger LOG = System.getLogger(GrpcStreamCall.class.getName());

  private final Loop loop;
  private final LoopSerializer serializer;
  private final StreamListener listener;
  private final CallRoute route;

  /** Null until it is started, also anew: what is asked of this call does nothing then. */
  private @Nullable ClientCall<byte[], Response> call;

  /** Tells of the present call; others are told of past ones. */
  private CallEvents events = new CallEvents(this);

  private @Nullable StreamEnd ownEnd;

  /** Messages asked for, to be asked again after a move. */
  private int requested;

  private boolean unsent = true;
  private boolean halfClosed;
  private boolean ended;

  GrpcStreamCall(Loop loop, StreamListener listener, CallRoute route) {
    this.loop = loop;
    this.serializer = new LoopSerializer(loop);
    this.listener = listener;
    this.route = route;
  }

  /** Starts the call. */
  void start() {
    boolean outermost = serializer.enter();
    try {
      begin();
    } finally {
      serializer.exit(outermost);
    }
  }

  /** Whether the server can't have heard of this call, as far as is known here. */
  boolean isUnsent() {
    ClientCall<byte[], Response> live = live();
    return live != null && unsent && !live.isReady();
  }

  /** Takes another connection; only while {@link #isUnsent}. */
  void move() {
    assert isUnsent();
    boolean outermost = serializer.enter();
    try {
      ClientCall<byte[], Response> left = call;
      call = null;
      events = new CallEvents(this);
      if (left != null) {
        left.cancel("takes another connection", null);
      }
      begin();
    } finally {
      serializer.exit(outermost);
    }
  }

  private void begin() {
    try {
      ClientCall<byte[], Response> begun = route.start(this, events);
      call = begun;
      if (requested > 0) {
        begun.request(requested);
      }
      if (halfClosed) {
        begun.halfClose();
      }
    } catch (RuntimeException failure) {
      arriveEnd(
          events,
          StatusTranslator.local(
              StatusCode.INTERNAL, "the call could not start", Origin.TRANSPORT, failure));
    }
  }

  @Override
  public void send(byte[] encodedRequest) {
    ClientCall<byte[], Response> live = live();
    if (live == null || halfClosed) {
      return;
    }
    sent();
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
    if (unsent) {
      requested += count;
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

  /** The call ends first, so that no connect is begun for it. */
  @Override
  public void cancelSilent(String reason, long silentNanos) {
    if (live() != null) {
      cancel(reason);
      route.giveUpIfSilent(silentNanos);
    }
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

  /** Comes from inside gRPC, and is told nobody. */
  void headersSent(CallEvents from) {
    if (loop.inLoop() && from == events) {
      route.onSocket();
      sent();
    }
  }

  /** It stays on its connection from now on. */
  private void sent() {
    if (unsent) {
      unsent = false;
      route.settled();
    }
  }

  /** The call, unless it has ended or been cancelled. */
  private @Nullable ClientCall<byte[], Response> live() {
    return ended || ownEnd != null ? null : call;
  }

  void arriveReady(CallEvents from) {
    tryArrive(() -> tellReady(from));
  }

  /** The way of nearly all messages allocates nothing. */
  void arriveResponse(CallEvents from, Response response) {
    if (serializer.isFree()) {
      serializer.begin();
      try {
        tellResponse(from, response);
      } finally {
        serializer.end();
      }
    } else if (!tryArrive(() -> tellResponse(from, response))) {
      response.close();
    }
  }

  void arriveBytes(CallEvents from) {
    if (serializer.isFree()) {
      serializer.begin();
      try {
        tellBytes(from);
      } finally {
        serializer.end();
      }
    } else {
      tryArrive(() -> tellBytes(from));
    }
  }

  void arriveEnd(CallEvents from, StreamEnd end) {
    tryArrive(() -> tellEnd(from, end));
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

  private boolean isPast(CallEvents from) {
    return from != events || live() == null;
  }

  private void tellReady(CallEvents from) {
    if (isPast(from)) {
      return;
    }
    sent();
    try {
      listener.onReady();
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void tellResponse(CallEvents from, Response response) {
    if (isPast(from)) {
      response.close();
      return;
    }
    try {
      listener.onResponse(response);
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void tellBytes(CallEvents from) {
    if (isPast(from)) {
      return;
    }
    try {
      listener.onBytes();
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void tellEnd(CallEvents from, StreamEnd end) {
    if (ended || from != events) {
      return;
    }
    ended = true;
    route.leave();
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
