// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.checksum.ChunkHasher;
import io.github.gcsmrd.internal.read.Piece;
import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadFault;
import io.github.gcsmrd.internal.read.ReadStep;
import io.github.gcsmrd.internal.retry.TransientStatus;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.RangeData;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session makes of what its streams bring: metadata, data and errors of ranges. Confined to
 * the loop.
 */
final class Answers implements Connector.Owner {
  private final Session session;
  private final LiveReads reads;
  private final ObjectPin pin;
  private final SessionConfig config;
  private final ChunkHasher hasher = new ChunkHasher();

  Answers(Session session, LiveReads reads, ObjectPin pin, SessionConfig config) {
    this.session = session;
    this.reads = reads;
    this.pin = pin;
    this.config = config;
  }

  @Override
  public boolean onHeaders(LiveStream stream, ReceivedMessage message) {
    if (message.metadata().isPresent()) {
      ObjectInfo answer = message.metadata().get();
      if (!pin.accept(answer)) {
        session.generationChanged(answer);
        return false;
      }
    }
    if (message.readHandle().isPresent()) {
      pin.handle(message.readHandle().get());
      session.publish(pin.readHandle());
    }
    boolean data = message.rangeCount() > 0;
    if (data || pin.hasInfo() || stream.isOpenedWithHandle()) {
      stream.answered();
      pin.opened();
      session.opened();
    }
    return true;
  }

  @Override
  public void onData(RangeRead read, RangeData data, ReceivedMessage message) {
    if (read.completion().isAbandoned()) {
      reads.cancel(read);
      return;
    }
    Piece piece = read.receive(data, session.loop().now());
    if (piece.ends()) {
      reads.settled(read);
    }
    settle(piece, message.memory());
  }

  private void settle(Piece piece, MessageMemory memory) {
    RangeRead read = piece.read();
    int crc32c =
        read.needsHash(piece)
            ? hasher.hash(piece.data().content(), 0, piece.data().content().length())
            : 0;
    long before = read.position().deliveredBytes();
    ReadStep step = read.settle(piece, crc32c, hasher, memory, pin.whole());
    if (read.position().deliveredBytes() > before) {
      pin.delivered();
      reads.progress();
    }
    reads.act(read, step);
  }

  @Override
  public int onRangeErrors(StreamEnd end, RangeRead[] asked) {
    boolean named = false;
    int ended = 0;
    int met = 0;
    if (end.detail() instanceof StreamEnd.RangeErrors errors) {
      List<StreamEnd.RangeError> listed = errors.errors();
      named = !listed.isEmpty();
      for (int i = 0; i < listed.size(); i++) {
        StreamEnd.RangeError error = listed.get(i);
        RangeRead read = find(asked, error.readId());
        if (read != null && error.code() != StatusCode.OK && !read.isDone()) {
          met++;
          ended += endsBy(read, error.code(), error.message()) ? 1 : 0;
        }
      }
    }
    boolean alone = end.code() == StatusCode.OUT_OF_RANGE && asked.length == 1;
    if (met == 0 && alone && !asked[0].isDone()) {
      return endsAlone(asked[0], end, named) ? 1 : 0;
    }
    return ended;
  }

  /**
   * Only one range can be meant. But if the server named others, it may be without fault: it is
   * asked for again a few times.
   */
  private boolean endsAlone(RangeRead read, StreamEnd end, boolean othersNamed) {
    return othersNamed
        ? repairEnds(read, end.code(), end.description())
        : endsBy(read, end.code(), end.description());
  }

  /** A range got a status of its own; returns whether it ended by it. */
  private boolean endsBy(RangeRead read, StatusCode code, String message) {
    if (code == StatusCode.OUT_OF_RANGE && read.isEndOfObject(pin.whole())) {
      ReadStep step = read.endOfObject(pin.whole());
      reads.act(read, step);
      return true;
    }
    if (TransientStatus.isTransient(code, true)) {
      return repairEnds(read, code, message);
    }
    reads.fail(read, new RangeFailure.Refused(code, message));
    return true;
  }

  /** Counts a repair; returns whether the range ended because its budget is used up. */
  private boolean repairEnds(RangeRead read, StatusCode code, String message) {
    if (read.repair(config.limits().maxRepairs())) {
      return false;
    }
    ReadFault fault = new ReadFault.Refused(code, message);
    reads.fail(read, new RangeFailure.RepairsExhausted(fault, read.repairs()));
    return true;
  }

  private static @Nullable RangeRead find(RangeRead[] asked, long readId) {
    for (RangeRead read : asked) {
      if (read.readId() == readId) {
        return read;
      }
    }
    return null;
  }

  @Override
  public boolean awaitsOpen() {
    return session.awaitsOpen();
  }

  @Override
  public void onTick(RangeRead read, long nowNanos) {
    reads.checkTimeout(read, nowNanos);
  }

  @Override
  public boolean mustAskAgain(RangeRead read) {
    return reads.mustAskAgain(read);
  }

  @Override
  public void onFailure(SessionFailure failure) {
    session.fail(failure);
  }

  @Override
  public void onStopped() {
    session.stopped();
  }
}
