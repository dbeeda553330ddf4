// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.wire.RangeData;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a stream open while something waits: opens, sends what is pending, reopens after a failure
 * or a redirect. Confined to the loop.
 *
 * <pre>
 *          something pends            answered
 *   IDLE ──────────────────▶ OPENING ──────────▶ OPEN
 *    ▲ ▲                      │ ▲ ▲                │
 *    │ │ nothing pends, end   │ │ │ at once        │ end
 *    │ └──────────────────────┘ │ └────────────────┤
 *    │                    delay │                  │
 *    │                    over  │ delay            │
 *    │                        WAITING ◀────────────┤
 *    └─────────────────────────────────────────────┘
 *   an end passes SETTLING until what arrived before it is checked and delivered
 *   every state ──▶ STOPPED (sticky): failed for good, or closed
 * </pre>
 *
 * One end leads to exactly one verdict, and so to at most one reopen, whatever number of ranges it
 * hit. Ranges submitted in any state join the one pending set, and go out with whatever stream
 * comes next.
 */
final class Connector implements LiveStream.Owner {
  private static final System.Logger LOG = System.getLogger(Connector.class.getName());

  private final Loop loop;
  private final StreamTransport transport;
  private final SessionConfig config;
  private final ObjectPin pin;
  private final EndJudge judge;
  private final ReopenWait wait;
  private final ConnectorOwner owner;
  private final OpenAttempts attempts;
  private final PendingReads pending = new PendingReads();
  private final List<RangeRead> batch = new ArrayList<>(SessionLimits.RANGES_PER_MESSAGE);

  private ConnectorState state = ConnectorState.IDLE;
  private boolean troubled;
  private @Nullable LiveStream stream;
  private long streams;
  private int heldMessages;
  private int outstandingLimit = SessionLimits.OUTSTANDING_RANGES;
  private boolean flushScheduled;

  Connector(
      Loop loop,
      StreamTransport transport,
      SessionConfig config,
      ObjectPin pin,
      EndJudge judge,
      CredentialsRenewal renewal,
      ConnectorOwner owner) {
    this.loop = loop;
    this.transport = transport;
    this.config = config;
    this.pin = pin;
    this.judge = judge;
    this.wait = new ReopenWait(loop, renewal, this::endWait);
    this.owner = owner;
    this.attempts = new OpenAttempts(config, pin);
  }

  /** Asks for a range on whatever stream comes next. */
  void add(RangeRead read) {
    assert loop.inLoop();
    pending.enqueue(read);
    pump();
  }

  /** A range ends here; late answers for it are dropped, and another may take its place. */
  void forget(RangeRead read) {
    if (state != ConnectorState.STOPPED) {
      pending.forget(read);
      sendWaiting();
      if (!isWaitedFor()) {
        judge.idle();
      }
    }
  }

  /** Takes out ranges that wait, to be read elsewhere. */
  List<RangeRead> takeWaiting(Predicate<RangeRead> which) {
    List<RangeRead> taken = pending.takeWaiting(which);
    if (!isWaitedFor()) {
      judge.idle();
    }
    return taken;
  }

  /** Tries whether a stream that broke, and that nobody waited for since, can be opened again. */
  void retry() {
    if (state == ConnectorState.IDLE && troubled) {
      openNew();
    }
  }

  /** Whether anybody waits for what a stream would bring. */
  private boolean isWaitedFor() {
    return owner.awaitsOpen() || !pending.isEmpty();
  }

  /** Nothing more is expected for a range under its present id. */
  void settled(RangeRead read) {
    pending.settled(read);
    sendWaiting();
  }

  /** A range is not waited for under its present id any more; what comes for that is dropped. */
  void givenUp(RangeRead read) {
    pending.givenUp(read);
    sendWaiting();
  }

  /** A range that ended may have made room for one that waits. */
  private void sendWaiting() {
    if (pending.hasWaiting()) {
      pump();
    }
  }

  /** Opens a stream, or sends soon, if something waits for that. */
  void pump() {
    switch (state) {
      case IDLE -> {
        if (isWaitedFor()) {
          openNew();
        }
      }
      case OPENING, OPEN -> scheduleFlush();
      case SETTLING, WAITING, STOPPED -> {}
    }
  }

  /** Bytes were delivered or a range ended well: failures count anew. */
  void progress() {
    judge.progress();
    outstandingLimit = SessionLimits.OUTSTANDING_RANGES;
  }

  /** Whether destinations may hold messages: however many are slow, the stream goes on. */
  boolean mayHold() {
    return heldMessages < StreamFlow.MAX_HELD_BY_DESTINATIONS;
  }

  /** Counts messages kept beyond their callback, and the chunks of the call that holds most. */
  void held(int messages, int byOneCall) {
    heldMessages += messages;
    if (stream != null) {
      stream.held(messages, byOneCall);
    }
  }

  /** Ends everything here; what pends is the caller's to fail. Does nothing the second time. */
  void stop() {
    if (state == ConnectorState.STOPPED) {
      return;
    }
    become(ConnectorState.STOPPED);
    wait.cancel();
    boolean idle = pending.askedCount() == 0;
    pending.clear();
    LiveStream live = stream;
    if (live == null) {
      owner.onStopped();
    } else {
      live.close(idle);
    }
  }

  /** Whether it may still bring something. */
  boolean isRunning() {
    return state != ConnectorState.STOPPED;
  }

  private void become(ConnectorState next) {
    state = next;
    troubled &= next != ConnectorState.OPEN;
    boolean unsure = troubled && next.health() == StreamHealth.FRESH;
    owner.onHealth(unsure ? StreamHealth.TROUBLED : next.health());
  }

  private void openNew() {
    attempts.startOver();
    open();
  }

  private void open() {
    become(ConnectorState.OPENING);
    LiveStream opened = new LiveStream(++streams, loop, this, config.limits(), pin::spec);
    stream = opened;
    opened.open(transport, attempts.next(), heldMessages);
  }

  /** Once for all ranges submitted in this turn of the loop. */
  private void scheduleFlush() {
    if (!flushScheduled) {
      flushScheduled = true;
      loop.execute(this::flushScheduled);
    }
  }

  private void flushScheduled() {
    flushScheduled = false;
    LiveStream live = stream;
    if (live != null && state != ConnectorState.STOPPED) {
      flush(live);
    }
  }

  @Override
  public void onReady(LiveStream ready) {
    if (ready == stream && state != ConnectorState.STOPPED) {
      flush(ready);
    }
  }

  /** Sends what waits while the transport takes it; the first message goes even without ranges. */
  private void flush(LiveStream live) {
    while (live.isReady()) {
      boolean idle = pending.askedCount() == 0;
      pending.ask(batch, outstandingLimit, loop.now());
      if (batch.isEmpty() && live.isSpecSent()) {
        return;
      }
      live.send(batch, idle);
      batch.clear();
    }
    if (pending.hasWaiting()) {
      live.awaitReady(pending.askedCount() == 0);
    }
  }

  @Override
  public @Nullable String onMessage(LiveStream from, ReceivedMessage message) {
    if (!owner.onHeaders(from, message)) {
      cut(from);
      return null;
    }
    if (state == ConnectorState.OPENING && from.isAnswered()) {
      become(ConnectorState.OPEN);
    }
    for (int i = 0; i < message.rangeCount() && state != ConnectorState.STOPPED; i++) {
      RangeData data = message.range(i);
      if (!data.hasReadRange()) {
        if (data.content().length() > 0 || data.rangeEnd()) {
          return "the server sent " + data.content().length() + " bytes for no range";
        }
        continue;
      }
      RangeRead read = pending.lookup(data.readId());
      if (read != null) {
        owner.onData(read, data, message);
      }
    }
    return null;
  }

  @Override
  public void onTick(LiveStream from) {
    if (from.hasDemand()) {
      long now = loop.now();
      for (RangeRead read : pending.askedReads()) {
        owner.onTick(read, from.demandSinceNanos(), now);
      }
    }
    if (!pending.isEmpty()) {
      from.checkStall();
    }
  }

  @Override
  public void onEnd(LiveStream ended, StreamEnd end) {
    if (ended != stream) {
      return;
    }
    stream = null;
    if (state == ConnectorState.STOPPED) {
      owner.onStopped();
      return;
    }
    become(ConnectorState.SETTLING);
    int askedAtEnd = pending.askedCount();
    owner.whenSettled(
        () -> {
          try {
            conclude(ended, end, askedAtEnd);
          } catch (Throwable fault) {
            fault(fault);
          }
        });
  }

  /** Takes nothing more from a stream, whose end is of no interest. */
  private void cut(LiveStream live) {
    if (state != ConnectorState.STOPPED) {
      become(ConnectorState.SETTLING);
      stream = null;
      live.abort(StatusCode.CANCELLED, "closed");
    }
  }

  /** What had arrived is settled: judges the end, and does what follows. */
  private void conclude(LiveStream ended, StreamEnd end, int askedAtEnd) {
    if (state != ConnectorState.SETTLING) {
      return;
    }
    pin.streamEnded();
    if (end.detail() instanceof StreamEnd.Redirect redirect) {
      owner.onRedirect(redirect);
    } else if (ended.isAnswered()) {
      attempts.startOver();
    }
    boolean alone = askedAtEnd == 1 && !pending.hasStrays();
    RangeRead[] asked = pending.takeAsked();
    int failed = owner.onRangeErrors(end, alone, asked);
    List<RangeRead> left = rewind(asked);
    boolean pends = isWaitedFor() || !left.isEmpty();
    EndVerdict verdict =
        judge.judge(
            new EndedStream(
                end, ended.isAnswered(), ended.isOpenedWithHandle(), askedAtEnd, failed, pends),
            loop.now());
    owner.onJudged();
    follow(verdict, left);
  }

  /** Takes ranges back to their delivered bytes; those that turn out to be over end here. */
  private List<RangeRead> rewind(RangeRead[] asked) {
    List<RangeRead> left = new ArrayList<>(asked.length);
    for (RangeRead read : asked) {
      if (!read.isDone() && owner.mustAskAgain(read)) {
        left.add(read);
      }
    }
    return left;
  }

  private void follow(EndVerdict verdict, List<RangeRead> left) {
    if (verdict instanceof EndVerdict.TryOneByOne) {
      pending.suspect(left);
    } else {
      pending.requeueFirst(left);
    }
    if (verdict instanceof EndVerdict.FailSession fail) {
      owner.onFailure(fail.failure());
    } else if (verdict instanceof EndVerdict.GoIdle) {
      become(ConnectorState.IDLE);
    } else if (verdict instanceof EndVerdict.ReopenAfter reopen) {
      troubled = true;
      become(ConnectorState.WAITING);
      wait.delay(reopen.delayNanos());
      owner.onWaiting();
    } else if (verdict instanceof EndVerdict.RenewCredentials) {
      become(ConnectorState.WAITING);
      // Not longer than for an open.
      wait.renewal(config.limits().openTimeoutNanos());
    } else {
      if (verdict instanceof EndVerdict.AskForHalf) {
        outstandingLimit = Math.max(1, Math.min(outstandingLimit, left.size()) / 2);
      }
      open();
    }
  }

  /** Opens, unless everything that waited was cancelled meanwhile. */
  private void endWait() {
    if (state == ConnectorState.WAITING) {
      if (isWaitedFor()) {
        open();
      } else {
        become(ConnectorState.IDLE);
      }
    }
  }

  @Override
  public void onFault(LiveStream from, Throwable fault) {
    fault(fault);
  }

  /** A fault of this library: the session ends, rather than go on with a state nobody knows. */
  void fault(Throwable fault) {
    LOG.log(System.Logger.Level.ERROR, "internal error, please report it", fault);
    owner.onFailure(SessionFailure.internal(fault));
  }
}
