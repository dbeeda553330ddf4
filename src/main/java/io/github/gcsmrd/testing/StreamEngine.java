// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.RangeRead.Piece;
import io.github.gcsmrd.testing.RangeScript.Act;
import io.github.gcsmrd.testing.RangeScript.Event;
import io.github.gcsmrd.testing.RangeScript.Fail;
import io.github.gcsmrd.testing.RangeScript.HoldRange;
import io.github.gcsmrd.testing.Requests.Refusal;
import io.github.gcsmrd.testing.StreamRecord.EndKind;
import io.github.gcsmrd.testing.StreamRecord.Message;
import io.github.gcsmrd.testing.StreamRecord.Spec;
import io.github.gcsmrd.testing.StreamScript.MetadataRule;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Answers one stream. Confined to the stream's {@link SerialExecutor}: all methods run on it.
 *
 * <p>{@link #pump} is the one place that sends data: it does what the script wants now, then sends
 * while the transport takes more. Whatever could let the stream go on calls it again.
 */
final class StreamEngine {
  private final ServerState server;
  private final StreamLink link;
  private final StreamLog log;
  private final Executor executor;
  private final Turns turns = new Turns();
  private final ScriptRun run;
  private Responses responses = new Responses(1);
  private @Nullable FakeObject object;
  private @Nullable Refusal refusal;
  private @Nullable RangeFailure rangeError;
  private Optional<Bytes> nextReadHandle = Optional.empty();
  private boolean specHasHandle;
  private boolean halfClosed;
  private boolean ended;
  private int holds;
  private int messages;

  StreamEngine(ServerState server, StreamLink link, StreamLog log, Executor executor) {
    this.server = server;
    this.link = link;
    this.log = log;
    this.executor = executor;
    run = new ScriptRun(server.scripts.stream(log.ordinal()));
  }

  /** Starts with the headers alone, and refuses those without the token that is asked for. */
  void start(Optional<String> authorization) {
    Optional<String> wanted = server.requiredToken().map(token -> "Bearer " + token);
    if (wanted.isPresent() && !wanted.equals(authorization)) {
      end(StatusCode.UNAUTHENTICATED, "no valid bearer token", StatusDetails.none());
      return;
    }
    pump();
    if (!ended) {
      link.requestNext();
    }
  }

  void onMessage(BidiReadObjectRequest request) {
    if (ended) {
      return;
    }
    Message message = Requests.message(request);
    Optional<Spec> spec =
        message.hasSpec()
            ? Optional.of(Requests.spec(request.getReadObjectSpec()))
            : Optional.empty();
    int firstOrdinal = log.message(message, spec);
    messages++;
    if (refusal == null) {
      refusal = take(message, spec, firstOrdinal).orElse(null);
    }
    pump();
    if (!ended) {
      link.requestNext();
    }
  }

  private Optional<Refusal> take(Message message, Optional<Spec> spec, int firstOrdinal) {
    Optional<Refusal> refused = Requests.protocolError(message, messages == 1);
    if (refused.isEmpty() && messages == 1) {
      refused = open(spec.orElseThrow());
    }
    return refused.isEmpty() ? addRanges(message, firstOrdinal) : refused;
  }

  private Optional<Refusal> open(Spec spec) {
    Optional<FakeObject> found = server.store.find(spec.bucket(), spec.object());
    found.flatMap(FakeObject::opened).ifPresent(run::replace);
    responses = new Responses(run.script().piecesPerResponse);
    turns.setOrder(run.script().order);
    specHasHandle = spec.readHandle().isPresent();
    Optional<Refusal> refused = Requests.judge(spec, found);
    if (refused.isEmpty()) {
      object = found.orElseThrow();
      run.opened();
    }
    return refused;
  }

  private Optional<Refusal> addRanges(Message message, int firstOrdinal) {
    ObjectContent content = opened().content();
    int ordinal = firstOrdinal;
    for (StreamRecord.Range asked : message.ranges()) {
      if (turns.contains(asked.readId())) {
        return Optional.of(
            new Refusal(
                StatusCode.INVALID_ARGUMENT, "read_id " + asked.readId() + " is outstanding"));
      }
      RangeScript script =
          server
              .scripts
              .range(log.ordinal(), ordinal++, asked.offset())
              .or(() -> run.script().ranges)
              .orElse(RangeScript.nothing());
      RangeRead range = RangeRead.start(asked, messages, content, script);
      turns.add(range);
      if (!RangeRead.isInside(asked, content.size()) && rangeError == null) {
        rangeError = new RangeFailure(range, StatusCode.OUT_OF_RANGE, describe(asked, content));
      }
    }
    run.received(message.ranges().size());
    return Optional.empty();
  }

  private static String describe(StreamRecord.Range asked, ObjectContent content) {
    return "range " + asked + " is outside of an object of " + content.size() + " bytes";
  }

  void onHalfClose() {
    halfClosed = true;
    log.halfClosed();
    pump();
  }

  void onCancel() {
    ended = true;
    log.ended(EndKind.CANCELLED, StatusCode.CANCELLED, "");
    server.live.remove(log.ordinal());
  }

  /** Goes on for as long as the script, the client and the transport let it. */
  void pump() {
    while (!ended && holds == 0) {
      StreamAction action = run.takeDueAction();
      if (action != null) {
        perform(action);
      } else if (refusal != null) {
        end(refusal.code(), refusal.message(), StatusDetails.none());
      } else if (rangeError != null) {
        endWith(rangeError);
      } else if (object == null || !link.isReady() || !sendNext()) {
        break;
      }
    }
    if (halfClosed && !ended && holds == 0) {
      endIfAllIsAnswered();
    }
  }

  private void endIfAllIsAnswered() {
    if (messages == 0) {
      end(StatusCode.INVALID_ARGUMENT, "no message came", StatusDetails.none());
    } else if (run.isAnswered() && turns.isEmpty()) {
      end(StatusCode.OK, "", StatusDetails.none());
    }
  }

  /** Ends the stream after an error of the server itself, or of a task of the test. */
  void fail(Throwable error) {
    if (!ended) {
      end(StatusCode.INTERNAL, "the fake server failed: " + error, StatusDetails.none());
    }
  }

  /** Sends a response, or does what a range's script wants; false if there is nothing to do. */
  private boolean sendNext() {
    BidiReadObjectResponse.Builder response = BidiReadObjectResponse.newBuilder();
    long bytesBefore = run.bytesSent();
    int finishedBefore = run.rangesFinished();
    while (response.getObjectDataRangesCount() < run.script().piecesPerResponse
        && !run.hasDueStep()) {
      RangeRead range = turns.current();
      if (range == null || (range.hasDueStep() && response.getObjectDataRangesCount() > 0)) {
        break; // What was gathered goes out before a range's script acts.
      }
      Event event = range.takeDueEvent();
      if (event != null) {
        perform(event, range);
        return true;
      }
      takeTurn(range, response);
    }
    boolean sends = response.getObjectDataRangesCount() > 0 || !run.isAnswered();
    if (sends) {
      send(response, run.bytesSent() - bytesBefore);
    }
    int finished = run.rangesFinished() - finishedBefore;
    log.finished(finished);
    return sends || finished > 0 || run.hasDueStep();
  }

  private void takeTurn(RangeRead range, BidiReadObjectResponse.Builder response) {
    Piece piece = range.takePiece(chunkBytes(), run.bytesUntilNextStep());
    if (piece != null) {
      response.addObjectDataRanges(responses.data(piece));
      run.sent(piece.length());
    }
    if (range.isFinished()) {
      run.finished();
    }
    turns.endTurn(range);
  }

  private int chunkBytes() {
    return run.script().chunkBytes.orElse(server.chunkBytes);
  }

  private void send(BidiReadObjectResponse.Builder response, long bytes) {
    if (!run.isAnswered()) {
      introduce(response);
      run.answered();
    }
    nextReadHandle.ifPresent(handle -> response.setReadHandle(Responses.handle(handle)));
    nextReadHandle = Optional.empty();
    link.send(response.build());
    log.sent(bytes);
  }

  /** Adds what only the first response has. */
  private void introduce(BidiReadObjectResponse.Builder response) {
    StreamScript script = run.script();
    if (script.metadataRule == MetadataRule.ALWAYS
        || (script.metadataRule == MetadataRule.UNLESS_HANDLE && !specHasHandle)) {
      response.setMetadata(Responses.metadata(opened(), script.metadataGeneration));
    }
    if (script.withReadHandle && nextReadHandle.isEmpty()) {
      nextReadHandle =
          script.readHandle.or(() -> Optional.of(Bytes.utf8("handle of stream " + log.ordinal())));
    }
  }

  private FakeObject opened() {
    if (object == null) {
      throw new IllegalStateException("the stream is not open yet");
    }
    return object;
  }

  private void perform(Event event, RangeRead range) {
    if (event instanceof HoldRange hold) {
      range.setHeld(true);
      boolean passed =
          hold.gate()
              .pass(
                  () ->
                      executor.execute(
                          () -> {
                            range.setHeld(false);
                            pump();
                          }));
      range.setHeld(!passed);
    } else if (event instanceof Fail fail) {
      rangeError = new RangeFailure(range, fail.code(), fail.message());
    } else if (event instanceof Act act) {
      perform(act.action());
    }
  }

  /** Does something to the stream now. Does nothing once it has ended. */
  void perform(StreamAction action) {
    if (ended) {
      return;
    }
    if (action instanceof StreamAction.End end) {
      end(end.code(), end.message(), end.details());
    } else if (action instanceof StreamAction.Hold hold) {
      hold(hold.gate());
    } else if (action instanceof StreamAction.Delay delay) {
      holds++;
      link.schedule(() -> executor.execute(this::release), delay.time());
    } else if (action instanceof StreamAction.StopReading stop) {
      link.stopReading();
      if (stop.gate().pass(() -> executor.execute(link::goOnReading))) {
        link.goOnReading();
      }
    } else if (action instanceof StreamAction.NewReadHandle next) {
      nextReadHandle = Optional.of(next.handle());
    } else if (action instanceof StreamAction.Run task) {
      task.task().run();
    } else if (!performOnConnection(action)) {
      sendExtra(action);
    }
  }

  private boolean performOnConnection(StreamAction action) {
    if (action instanceof StreamAction.Reset reset) {
      endAbruptly("reset with HTTP/2 error " + reset.http2ErrorCode());
      link.reset(reset.http2ErrorCode());
    } else if (action instanceof StreamAction.DropConnection) {
      endAbruptly("connection dropped");
      link.connection().drop();
    } else if (action instanceof StreamAction.GoAway) {
      holds++;
      link.connection().goAway(() -> executor.execute(this::release));
    } else if (action instanceof StreamAction.LimitStreams limit) {
      link.connection().limitStreams(limit.streams());
    } else {
      return false;
    }
    return true;
  }

  private void sendExtra(StreamAction action) {
    if (action instanceof StreamAction.EmptyResponses empty) {
      for (int i = 0; i < empty.count(); i++) {
        send(BidiReadObjectResponse.newBuilder(), 0);
      }
    } else if (action instanceof StreamAction.RawResponse raw) {
      link.send(new Wire.Raw(raw.message()));
      log.sent(0);
    } else if (action instanceof StreamAction.Stray stray) {
      BidiReadObjectResponse.Builder response =
          BidiReadObjectResponse.newBuilder()
              .addObjectDataRanges(responses.data(stray.readId(), stray.offset(), stray.content()));
      run.sent(stray.content().size());
      send(response, stray.content().size());
    }
  }

  private void hold(Gate gate) {
    holds++;
    if (gate.pass(() -> executor.execute(this::release))) {
      holds--;
    }
  }

  private void release() {
    holds--;
    pump();
  }

  private void endWith(RangeFailure error) {
    end(
        error.code(),
        error.message(),
        error.details(run.script().rangeErrorListing, turns.pending()));
  }

  private void end(StatusCode code, String message, StatusDetails details) {
    ended = true;
    log.ended(EndKind.STATUS, code, message);
    server.live.remove(log.ordinal());
    link.end(code, message, details);
  }

  private void endAbruptly(String how) {
    ended = true;
    log.ended(EndKind.ABRUPT, StatusCode.CANCELLED, how);
    server.live.remove(log.ordinal());
  }
}
