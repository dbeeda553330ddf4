// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.ReadHandle;
import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.read.ReadOwner;
import io.github.gcsmrd.internal.read.ReadPosition;
import io.github.gcsmrd.internal.retry.RetryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One object, open over one stream: takes calls from any thread and ends every range of them. Its
 * public methods are thread-safe and hop onto the session's loop; everything else is confined to
 * it.
 */
public final class Session implements ObjectSession, ReadOwner {
  /** Who waits for the open and the close. */
  public interface Listener {
    /** The object is open; on the callback executor. */
    void opened(ObjectInfo info);

    /** The object could not be opened, or was closed before; on the callback executor. */
    void openFailed(GcsException failure);

    /** The last stream has ended after a close or failure; on the blocking executor. */
    void stopped();
  }

  private static final System.Logger LOG = System.getLogger(Session.class.getName());

  private final Loop loop;
  private final SessionConfig config;
  private final Executor blocking;
  private final Listener listener;
  private final StreamHost host;
  private final Completions completions;
  private final ObjectPin pin;
  private final Failures failures;
  private final LiveReads reads;
  private final LiveCalls calls = new LiveCalls();
  private final Arrivals arrivals;
  private final Connector connector;
  private final Preparation preparation;
  private boolean openEnded;
  private boolean onceOpen;
  private long submissions;
  private @Nullable SessionFailure failure;
  private volatile @Nullable ReadHandle readHandle;

  /**
   * A session that is alone, and was not started.
   *
   * @param config what to open
   * @param transport its connection, and so its loop
   * @param tools what the client's sessions share
   * @param listener told once each
   */
  public Session(
      SessionConfig config, StreamTransport transport, SessionTools tools, Listener listener) {
    this(config, transport, tools, listener, StreamHost.ALONE, Optional.empty());
  }

  /**
   * A session among others, that was not started.
   *
   * @param config what to open
   * @param transport its connection, and so its loop
   * @param tools what the client's sessions share
   * @param listener told once each
   * @param host has them all
   * @param known what is known of the object already
   */
  public Session(
      SessionConfig config,
      StreamTransport transport,
      SessionTools tools,
      Listener listener,
      StreamHost host,
      Optional<ObjectInfo> known) {
    this.host = host;
    this.loop = new GuardedLoop(transport.loop(), this::fault);
    this.config = config;
    this.blocking = tools.blocking();
    this.listener = listener;
    this.completions = new Completions(loop, tools.callbacks());
    this.pin = new ObjectPin(config, known);
    this.failures = new Failures(config, pin);
    EndJudge judge =
        new EndJudge(
            pin,
            new RetryBudget(config.retryPolicy()),
            config.limits(),
            tools.renewal().isPossible());
    this.reads = new LiveReads(loop, completions, failures, pin, config.limits(), host);
    this.arrivals = new Arrivals(loop, tools.offload(), reads, pin, config.limits().heldChunks());
    this.connector =
        new Connector(
            loop,
            transport,
            config,
            pin,
            judge,
            tools.renewal(),
            new Answers(this, reads, pin, arrivals));
    reads.connect(connector);
    this.preparation = new Preparation(loop, blocking, reads, pin, connector::add);
    publish(pin.readHandle());
  }

  /** A task of the loop threw: a fault of this library. */
  private void fault(Throwable fault) {
    reads.fault(fault);
  }

  @Override
  public void start() {
    loop.execute(connector::pump);
  }

  /** Tries, if the stream broke and nobody waits for it, whether it can be opened again. */
  void retry() {
    loop.execute(connector::retry);
  }

  @Override
  public void submit(ReadCall call) {
    loop.execute(() -> accept(call));
  }

  /** If it has gone elsewhere by then, that is where its user's word is found. */
  @Override
  public void abandon(RangeRead read) {
    loop.execute(
        () -> {
          if (reads.has(read)) {
            reads.cancel(read);
          }
        });
  }

  @Override
  public void close(String reason) {
    loop.execute(() -> fail(SessionFailure.closed(reason)));
  }

  @Override
  public Optional<ReadHandle> readHandle() {
    return Optional.ofNullable(readHandle);
  }

  @Override
  public Loop loop() {
    return loop;
  }

  private void accept(ReadCall submitted) {
    SessionFailure ended = failure;
    if (ended != null) {
      refuse(submitted.reads(), ended);
      return;
    }
    ReadCall call = calls.join(submitted);
    add(submitted.reads());
    for (RangeRead read : submitted.reads()) {
      begin(read);
    }
    if (call == submitted) {
      limit(call);
    }
  }

  private void add(List<RangeRead> submitted) {
    for (RangeRead read : submitted) {
      read.submitted(submissions++);
      reads.add(read);
    }
  }

  /** The session ended while they were on their way: those that can, go elsewhere. */
  private void refuse(List<RangeRead> submitted, SessionFailure ended) {
    List<RangeRead> left = new ArrayList<>();
    boolean elsewhere = host.canTakeOver(StreamHealth.TROUBLED);
    for (RangeRead read : submitted) {
      if (elsewhere && read.destination().isMovable()) {
        reads.letGo(read);
        left.add(read);
      } else {
        add(List.of(read));
        reads.fail(read, failures.session(ended, read));
      }
    }
    if (!left.isEmpty()) {
      host.takeOver(left);
    }
  }

  private void limit(ReadCall call) {
    if (call.timeoutNanos() == ReadCall.NO_TIMEOUT || call.isEnded()) {
      call.onAllEnded(() -> calls.leave(call));
      return;
    }
    Loop.Timer timer = loop.schedule(() -> timedOut(call), call.timeoutNanos());
    call.onAllEnded(
        () -> {
          timer.cancel();
          calls.leave(call);
        });
  }

  private void begin(RangeRead read) {
    if (read.completion().isAbandoned()) {
      reads.cancel(read);
    } else if (ReadPosition.isEmpty(read.range())) {
      reads.finish(read);
    } else if (!read.destination().hasDemand()) {
      read.become(RangeRead.State.PAUSED);
    } else if (!read.destination().needsLength()) {
      connector.add(read);
    } else if (openEnded || read.position().lengthIn(OptionalLong.empty()) >= 0) {
      preparation.begin(read);
    } else {
      read.become(RangeRead.State.PREPARING);
    }
  }

  private void timedOut(ReadCall call) {
    calls.leave(call);
    double seconds = call.root().timeoutNanos() / 1e9;
    String limit = "the call took longer than its limit of " + seconds + " s";
    for (RangeRead read : call.reads()) {
      if (reads.has(read)) {
        reads.failInTurn(read, new RangeFailure.TimedOut(limit));
      }
    }
  }

  /** The open succeeded: tells whoever waits. Once. */
  void opened() {
    if (openEnded) {
      return;
    }
    openEnded = true;
    onceOpen = true;
    ObjectInfo info = pin.info();
    host.learned(info);
    completions.add(() -> listener.opened(info));
    for (RangeRead read : reads.snapshot()) {
      if (read.state() == RangeRead.State.PREPARING && !reads.userCodeRuns(read)) {
        preparation.begin(read);
      }
    }
  }

  boolean awaitsOpen() {
    return !openEnded;
  }

  /** Ends the session and everything in it, with one cause. The first cause stays. */
  void fail(SessionFailure cause) {
    boolean closes = cause.kind() == SessionFailure.Kind.CLOSED;
    if (failure != null) {
      if (closes) {
        failAll(cause, true);
      }
      return;
    }
    failure = cause;
    completions.loopMayGo();
    if (!openEnded) {
      openEnded = true;
      GcsException exception = failures.session(cause, Optional.empty(), 0);
      completions.add(() -> listener.openFailed(exception));
    }
    guarded(arrivals::clear);
    guarded(connector::stop);
    if (!onceOpen) {
      guarded(() -> handOver(StreamHealth.TROUBLED));
    }
    failAll(cause, closes);
  }

  /**
   * Fails every range; but unless the user closes, those that have all their bytes, and only wait
   * for their sinks, are spared.
   */
  private void failAll(SessionFailure cause, boolean drainingToo) {
    for (RangeRead read : reads.snapshot()) {
      if (drainingToo || read.state() != RangeRead.State.DRAINING) {
        guarded(() -> reads.fail(read, failures.session(cause, read)));
      }
    }
  }

  /** Ranges that wait here go where they need not, if there is a stream of such a health. */
  void handOver(StreamHealth atWorst) {
    if (host.canTakeOver(atWorst)) {
      List<RangeRead> released = reads.release();
      if (!released.isEmpty()) {
        host.takeOver(released);
      }
    }
  }

  /** The stream's health may be another. */
  void health(StreamHealth health) {
    host.health(health);
  }

  /** A step of the end that must not keep the others from being made, whatever is broken. */
  private static void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable fault) {
      LOG.log(System.Logger.Level.ERROR, "internal error, please report it", fault);
    }
  }

  /** The last stream has ended: that is all, unless sinks still drain. */
  void stopped() {
    reads.draining().whenNone(this::tellStopped);
  }

  /** Not on the callback executor: a close must not wait for user code that blocks there. */
  private void tellStopped() {
    try {
      blocking.execute(listener::stopped);
    } catch (RuntimeException | Error refused) {
      listener.stopped();
    }
  }

  /** Makes the newest handle, or that there is none any more, visible to other threads. */
  void publish(Optional<byte[]> handle) {
    readHandle =
        handle
            .map(bytes -> ReadHandle.of(config.bucket(), config.object(), pin.generation(), bytes))
            .orElse(null);
  }

  /** The generation changed under the session. */
  void generationChanged(ObjectInfo answer) {
    fail(
        SessionFailure.generationChanged(
            "the service answered with generation "
                + answer.generation().orElse(0)
                + " instead of "
                + (pin.generation().isPresent()
                    ? pin.generation().getAsLong()
                    : "the one before")));
  }
}
