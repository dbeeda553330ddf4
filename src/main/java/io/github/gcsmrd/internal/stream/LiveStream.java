// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.wire.MalformedResponse;
import io.github.gcsmrd.internal.wire.OpenSpec;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import io.github.gcsmrd.internal.wire.RequestEncoder;
import io.github.gcsmrd.internal.wire.Response;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One stream, from its open to its end: sends, receives, and watches the clock. Confined to the
 * loop.
 *
 * <p>It has a generation number; once ended it drops whatever still comes for it, so that nothing
 * of an old stream reaches the next.
 */
final class LiveStream implements StreamListener {

  /** Who decides what follows. */
  interface Owner {
    /** Requests can be sent. */
    void onReady(LiveStream stream);

    /**
     * A message came; its memory is the stream's, and valid during the call.
     *
     * @return what in it breaks the protocol, so that the stream can't go on; mostly null
     */
    @Nullable String onMessage(LiveStream stream, ReceivedMessage message);

    /** The stream ended; told once. */
    void onEnd(LiveStream stream, StreamEnd end);

    /** It is time to look after the ranges asked for. */
    void onTick(LiveStream stream);

    /** This library failed while it handled a message. */
    void fault(Throwable fault);
  }

  private final long generation;
  private final Loop loop;
  private final Owner owner;
  private final SessionLimits limits;
  private final Supplier<OpenSpec> spec;
  private final long[] encodeBuffer = new long[SessionLimits.RANGES_PER_MESSAGE * 3];
  private @Nullable StreamCall call;
  private @Nullable StreamFlow flow;
  private Loop.@Nullable Timer timer;
  private boolean specSent;
  private boolean usedHandle;
  private boolean answered;
  private boolean closing;
  private boolean ended;
  private boolean watching;
  private boolean awaitsReady;
  private long openedNanos;
  private long lastSignNanos;

  /** Since when it may bring messages; silence before that is nobody's fault. */
  private long demandSinceNanos;

  LiveStream(
      long generation, Loop loop, Owner owner, SessionLimits limits, Supplier<OpenSpec> spec) {
    this.generation = generation;
    this.loop = loop;
    this.owner = owner;
    this.limits = limits;
    this.spec = spec;
  }

  /** Starts the call and its first timer. */
  void open(StreamTransport transport, StreamTransport.OpenRequest request, int heldMessages) {
    assert loop.inLoop();
    openedNanos = loop.now();
    lastSignNanos = openedNanos;
    demandSinceNanos = openedNanos;
    StreamCall opened = transport.open(request, this);
    call = opened;
    StreamFlow started = new StreamFlow(opened, limits.heldChunks());
    flow = started;
    timer = loop.schedule(this::onOpenTimer, limits.openTimeoutNanos());
    started.held(heldMessages, 0);
    started.replenish();
  }

  /** Whether a request can be sent without queueing it in the transport. */
  boolean isReady() {
    return !ended && !closing && call != null && call.isReady();
  }

  /**
   * Sends ranges, with the spec if it is the first message.
   *
   * @param ranges at most 100, perhaps none in the first message
   * @param idle whether none was asked for before: silence counts from now on
   */
  void send(List<RangeRead> ranges, boolean idle) {
    int n = 0;
    for (int i = 0; i < ranges.size(); i++) {
      RangeRead read = ranges.get(i);
      encodeBuffer[n++] = read.position().wireOffset();
      encodeBuffer[n++] = read.position().wireLength();
      encodeBuffer[n++] = read.readId();
    }
    Optional<OpenSpec> first = specSent ? Optional.empty() : Optional.of(spec.get());
    usedHandle |= first.isPresent() && first.get().readHandle().isPresent();
    specSent = true;
    awaitsReady = false;
    liveCall().send(RequestEncoder.encode(first, encodeBuffer, ranges.size()));
    if (idle && answered) {
      lastSignNanos = loop.now();
    }
    watch();
  }

  /**
   * Ranges wait to be sent, but the transport takes nothing: that is silence too.
   *
   * @param idle whether none is asked for: silence counts from now on
   */
  void awaitReady(boolean idle) {
    if (idle && !awaitsReady) {
      lastSignNanos = loop.now();
    }
    awaitsReady = true;
    watch();
  }

  /** Whether the spec went out. */
  boolean isSpecSent() {
    return specSent;
  }

  /** Whether the server answered anything. */
  boolean isAnswered() {
    return answered;
  }

  /** Whether it was opened with a read handle. */
  boolean isOpenedWithHandle() {
    return usedHandle;
  }

  /** Counts messages kept beyond their callback, and the chunks of the call that holds most. */
  void held(int messages, int byOneCall) {
    StreamFlow counted = flow;
    if (!ended && counted != null) {
      boolean hadDemand = counted.hasDemand();
      counted.held(messages, byOneCall);
      if (!hadDemand && counted.hasDemand()) {
        demandSinceNanos = loop.now();
      }
    }
  }

  /** Whether the server may send a message. */
  boolean hasDemand() {
    return liveFlow().hasDemand();
  }

  /** Since when that is so. */
  long demandSinceNanos() {
    return demandSinceNanos;
  }

  /** How long nothing came though it could. */
  private long silentNanos() {
    long now = loop.now();
    return Math.min(now - lastSignNanos, now - demandSinceNanos);
  }

  @Override
  public void onReady() {
    assert loop.inLoop();
    if (!ended && !closing) {
      owner.onReady(this);
    }
  }

  @Override
  public void onBytes() {
    lastSignNanos = loop.now();
  }

  @Override
  public void onResponse(Response response) {
    assert loop.inLoop();
    if (ended) {
      response.close();
      return;
    }
    lastSignNanos = loop.now();
    liveFlow().received();
    String violation = null;
    try {
      violation = closing ? null : handle(response);
    } catch (Throwable fault) {
      owner.fault(fault);
    } finally {
      response.close();
    }
    if (violation != null) {
      abort(StatusCode.INTERNAL, violation);
    }
    if (!ended) {
      liveFlow().replenish();
    }
  }

  private @Nullable String handle(Response response) {
    if (response instanceof MalformedResponse malformed) {
      return "the server sent a malformed response: " + malformed.reason();
    }
    return response instanceof ReceivedMessage message ? owner.onMessage(this, message) : null;
  }

  /** Notes that the open was answered with more than a sign of life. */
  void answered() {
    if (!answered) {
      answered = true;
      cancelTimer();
      watching = false;
      watch();
    }
  }

  @Override
  public void onEnd(StreamEnd end) {
    assert loop.inLoop();
    if (!ended) {
      end();
      owner.onEnd(this, end);
    }
  }

  /** Ends the stream from this side; the owner is told as if the server had. */
  void abort(StatusCode code, String reason) {
    abort(code, reason, live -> live.cancel(reason));
  }

  /** The same for silence, which may be that of the whole connection. */
  private void abortSilent(String reason, long silentNanos) {
    abort(StatusCode.DEADLINE_EXCEEDED, reason, live -> live.cancelSilent(reason, silentNanos));
  }

  private void abort(StatusCode code, String reason, Consumer<StreamCall> cancel) {
    if (!ended) {
      end();
      try {
        // There is none if the transport failed to make it.
        StreamCall live = call;
        if (live != null) {
          cancel.accept(live);
        }
      } finally {
        owner.onEnd(
            this,
            new StreamEnd(
                code, reason, StreamEnd.Origin.LOCAL, new StreamEnd.NoDetail(), List.of(), null));
      }
    }
  }

  /**
   * The session closes: half-closes an idle open stream and waits a while for its end, cancels any
   * other.
   *
   * @param idle whether nothing is asked for
   */
  void close(boolean idle) {
    if (ended || closing) {
      return;
    }
    closing = true;
    cancelTimer();
    boolean orderly = false;
    try {
      if (idle && answered) {
        liveCall().halfClose();
        timer = loop.schedule(() -> abort(StatusCode.CANCELLED, "closed"), limits.closeWaitNanos());
        orderly = true;
      }
    } finally {
      if (!orderly) {
        // Also if the call can't even be half-closed: whoever waits for its end must be told.
        abort(StatusCode.CANCELLED, "closed");
      }
    }
  }

  private void end() {
    ended = true;
    cancelTimer();
  }

  private void onOpenTimer() {
    long aliveNanos = loop.now() - openedNanos;
    long silentNanos = silentNanos();
    if (!hasDemand()) {
      timer = loop.schedule(this::onOpenTimer, limits.openTimeoutNanos());
    } else if (silentNanos >= limits.openTimeoutNanos()) {
      abortSilent("no answer to the open within " + seconds(silentNanos), silentNanos);
    } else if (aliveNanos >= limits.rangeTimeoutNanos()) {
      abort(
          StatusCode.DEADLINE_EXCEEDED,
          "only signs of life since the open, for " + seconds(aliveNanos));
    } else {
      timer = loop.schedule(this::onOpenTimer, limits.openTimeoutNanos() - silentNanos);
    }
  }

  /** Starts to look after the ranges asked for, unless that is going on or the open timer runs. */
  private void watch() {
    if (answered && !watching && !ended && !closing) {
      watching = true;
      timer = loop.schedule(this::onWatchTimer, tickNanos());
    }
  }

  private long tickNanos() {
    return Math.min(limits.stallTimeoutNanos(), limits.rangeTimeoutNanos());
  }

  private void onWatchTimer() {
    watching = false;
    timer = null;
    owner.onTick(this);
  }

  /**
   * Goes on watching while ranges are asked for: ends the stream if it was silent too long though
   * it could have brought something.
   */
  void checkStall() {
    boolean demand = hasDemand();
    long silentNanos = silentNanos();
    if (demand && silentNanos >= limits.stallTimeoutNanos()) {
      abortSilent("no byte for " + seconds(silentNanos) + " while ranges wait", silentNanos);
    } else if (!ended && !watching) {
      watching = true;
      long leftNanos = limits.stallTimeoutNanos() - silentNanos;
      timer =
          loop.schedule(
              this::onWatchTimer, demand ? Math.min(leftNanos, tickNanos()) : tickNanos());
    }
  }

  private void cancelTimer() {
    Loop.Timer running = timer;
    timer = null;
    if (running != null) {
      running.cancel();
    }
  }

  private StreamCall liveCall() {
    StreamCall live = call;
    if (live == null) {
      throw new IllegalStateException("stream " + generation + " is not open");
    }
    return live;
  }

  private StreamFlow liveFlow() {
    StreamFlow live = flow;
    if (live == null) {
      throw new IllegalStateException("stream " + generation + " is not open");
    }
    return live;
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }

  @Override
  public String toString() {
    return "LiveStream[generation " + generation + (ended ? ", ended" : "") + "]";
  }
}
