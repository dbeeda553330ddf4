// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.RangeRead;
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
  private final RequestSender sender;
  private final Incoming incoming;

  private ConnectorState state = ConnectorState.IDLE;
  private boolean troubled;
  private @Nullable LiveStream stream;
  private long streams;
  private int heldMessages;
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
    this.sender = new RequestSender(loop, pending);
    this.transport = transport;
    this.config = config;
    this.pin = pin;
    this.judge = judge;
    this.wait = new ReopenWait(loop, renewal, this::endWait);
    this.owner = owner;
    this.incoming = new Incoming(pending, owner, this::isRunning);
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
      restIfUnawaited();
    }
  }

  /** If nobody waits any more, a stream ends that only brings what was given up (rule 37). */
  void restIfUnawaited() {
    if (state == ConnectorState.STOPPED || isWaitedFor()) {
      return;
    }
    judge.idle();
    LiveStream live = stream;
    if (live != null
        && state == ConnectorState.OPEN
        && pending.strayBytes() > SessionLimits.MOST_STRAY_BYTES) {
      stream = null;
      pin.streamEnded();
      pending.takeAsked();
      become(ConnectorState.IDLE);
      live.abort(StatusCode.CANCELLED, "only what was given up is on its way");
    }
  }

  /** Takes out ranges that wait, to be read elsewhere. */
  List<RangeRead> takeWaiting(Predicate<RangeRead> which) {
    List<RangeRead> taken = pending.takeWaiting(which);
    restIfUnawaited();
    return taken;
  }

  /** Tries whether a stream that broke, and that nobody waited for since, can be opened again. */
  void retry() {
    if (state == ConnectorState.IDLE && troubled) {
      attempts.startOver();
      open();
    }
  }

  /** Whether anybody waits for what a stream would bring. */
  private boolean isWaitedFor() {
    return owner.awaitsOpen() || !pending.isEmpty();
  }

  /** Bytes of a range were delivered: it is no suspect any more. */
  void delivered(RangeRead read) {
    progress();
    if (pending.acquits(read)) {
      sendWaiting();
    }
  }

  /** Ranges that were forgotten are in their last state. */
  void bury() {
    pending.bury();
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
          attempts.startOver();
          open();
        }
      }
      case OPENING, OPEN -> scheduleFlush();
      case SETTLING, WAITING, STOPPED -> {}
    }
  }

  /** Bytes were delivered or a range ended well: failures count anew. */
  void progress() {
    judge.progress();
    sender.liftLimit();
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
      sender.flush(live);
    }
  }

  @Override
  public void onReady(LiveStream ready) {
    if (ready == stream && state != ConnectorState.STOPPED) {
      sender.flush(ready);
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
    return incoming.take(message);
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
    boolean strays = pending.hasStrays();
    RangeRead[] asked = pending.takeAsked();
    if (ended.isAnswered() && ended.hasDemand()) {
      for (RangeRead read : asked) {
        read.streamEnds(ended.demandSinceNanos(), loop.now());
      }
    }
    Culprits culprits = new Culprits(asked, askedAtEnd, strays);
    int failed = owner.onRangeErrors(end, culprits, asked);
    List<RangeRead> left = rewind(asked);
    boolean pends = isWaitedFor() || !left.isEmpty();
    EndVerdict verdict =
        judge.judge(
            new EndedStream(
                end, ended.isAnswered(), ended.isOpenedWithHandle(), askedAtEnd, failed, pends),
            loop.now());
    owner.onJudged();
    follow(verdict, left, culprits);
  }

  /** Takes ranges back to their delivered bytes; those that turn out to be over end here. */
  private List<RangeRead> rewind(RangeRead[] asked) {
    List<RangeRead> left = new ArrayList<>(asked.length);
    for (RangeRead read : asked) {
      if (read.state() == RangeRead.State.ASKED && owner.mustAskAgain(read)) {
        left.add(read);
      }
    }
    return left;
  }

  private void follow(EndVerdict verdict, List<RangeRead> left, Culprits culprits) {
    if (verdict instanceof EndVerdict.TryOneByOne) {
      culprits.requeue(left, pending);
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
    } else if (verdict instanceof EndVerdict.RenewCredentials renew) {
      become(ConnectorState.WAITING);
      // Not longer than for an open.
      wait.renewal(config.limits().openTimeoutNanos(), renew.delayNanos());
    } else {
      if (verdict instanceof EndVerdict.AskForHalf) {
        sender.halveLimit(left.size());
      }
      open();
    }
  }

  /** Opens, unless everything that waited was cancelled meanwhile, or new credentials failed. */
  private void endWait(boolean successful) {
    if (state != ConnectorState.WAITING) {
      return;
    }
    if (!isWaitedFor()) {
      become(ConnectorState.IDLE);
    } else if (successful) {
      open();
    } else {
      follow(judge.renewalFailed(loop.now()), List.of(), Culprits.NOBODY);
    }
  }

  /** A fault of this library: the session ends, rather than go on with a state nobody knows. */
  @Override
  public void fault(Throwable fault) {
    LOG.log(System.Logger.Level.ERROR, "internal error, please report it", fault);
    owner.onFailure(SessionFailure.internal(fault));
  }
}
