// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.Piece;
import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadFault;
import io.github.gcsmrd.internal.read.ReadStep;
import io.github.gcsmrd.internal.retry.TransientStatus;
import io.github.gcsmrd.internal.wire.RangeData;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session makes of what its streams bring: metadata, data and errors of ranges. Confined to
 * the loop.
 */
final class Answers implements ConnectorOwner {
  private final Session session;
  private final LiveReads reads;
  private final ObjectPin pin;
  private final Arrivals arrivals;

  Answers(Session session, LiveReads reads, ObjectPin pin, Arrivals arrivals) {
    this.session = session;
    this.reads = reads;
    this.pin = pin;
    this.arrivals = arrivals;
  }

  @Override
  public boolean onHeaders(LiveStream stream, ReceivedMessage message) {
    arrivals.messageBegins();
    if (message.metadata().isPresent()) {
      ObjectInfo answer = message.metadata().get();
      if (!pin.accept(answer)) {
        arrivals.whenSettled(() -> session.generationChanged(answer));
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
    Piece piece = read.receive(data, session.loop().now());
    if (read.completion().isAbandoned()) {
      reads.cancel(read);
      return;
    }
    if (piece.ends()) {
      reads.over(read, piece.fault() != null);
    }
    arrivals.arrived(piece, message.memory());
  }

  @Override
  public void whenSettled(Runnable then) {
    arrivals.whenSettled(then);
  }

  @Override
  public int onRangeErrors(StreamEnd end, Culprits culprits, RangeRead[] asked) {
    int ended = 0;
    boolean named = false;
    boolean onlyStrangers = true;
    if (end.detail() instanceof StreamEnd.RangeErrors errors) {
      List<StreamEnd.RangeError> listed = errors.errors();
      for (int i = 0; i < listed.size(); i++) {
        StreamEnd.RangeError error = listed.get(i);
        RangeRead read = find(asked, error.readId());
        named |= error.code() != StatusCode.OK;
        if (read != null && isAboutRange(error.code(), end) && !read.isDone()) {
          onlyStrangers = false;
          ended += endsBy(read, error.code(), error.message(), end.otherDetails()) ? 1 : 0;
        }
      }
    }
    if (ended > 0 || culprits.only().isEmpty()) {
      return ended;
    }
    RangeRead culprit = culprits.only().get();
    if (end.origin() == StreamEnd.Origin.METADATA_TOO_LARGE && asked.length == 1) {
      return endsByDetails(culprit, end) ? 1 : 0;
    }
    if (end.code() != StatusCode.OUT_OF_RANGE) {
      return ended;
    }
    return endsAlone(culprit, end, named, onlyStrangers) ? 1 : 0;
  }

  /**
   * Nobody will ever read what is wrong with a range whose details are too large. But they end the
   * connection, and so look the same to all streams on it: only the second time they are its own.
   */
  private boolean endsByDetails(RangeRead read, StreamEnd end) {
    if (read.isDone()) {
      return false;
    }
    boolean again = read.progress().repairs() > 0;
    boolean ends = reads.endsByRepairs(read, new ReadFault.Refused(end.code(), end.description()));
    if (again && !ends) {
      reads.fail(read, new RangeFailure.Refused(end.code(), end.description(), end.otherDetails()));
    }
    return again || ends;
  }

  /** Credentials that grew old are the stream's concern, however often that is said. */
  private static boolean isAboutRange(StatusCode code, StreamEnd end) {
    return code != StatusCode.OK
        && !(code == StatusCode.UNAUTHENTICATED && end.code() == StatusCode.UNAUTHENTICATED);
  }

  /**
   * The stream failed with a single range asked for: it is meant if nobody is named. If only ranges
   * are named that ended before, it is asked for again, but not for ever.
   */
  private boolean endsAlone(RangeRead read, StreamEnd end, boolean named, boolean onlyStrangers) {
    if (read.isDone()) {
      return false;
    }
    if (!named) {
      return endsBy(read, end.code(), end.description(), end.otherDetails());
    }
    return onlyStrangers
        && reads.endsByRepairs(read, new ReadFault.Refused(end.code(), end.description()));
  }

  /** A range got a status of its own; returns whether it ended by it. */
  private boolean endsBy(RangeRead read, StatusCode code, String message, List<String> details) {
    if (code == StatusCode.OUT_OF_RANGE && read.progress().isEndOfObject(pin.whole())) {
      ReadStep step = read.progress().endOfObject(pin.whole());
      reads.act(read, step);
      return true;
    }
    if (TransientStatus.isTransient(code, true)) {
      return reads.endsByRepairs(read, new ReadFault.Refused(code, message));
    }
    reads.fail(read, new RangeFailure.Refused(code, message, details));
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
  public void onRedirect(StreamEnd.Redirect redirect) {
    pin.redirected(redirect);
  }

  @Override
  public void onJudged() {
    session.publish(pin.readHandle());
  }

  @Override
  public void onHealth(StreamHealth health) {
    session.health(health);
  }

  @Override
  public void onWaiting() {
    session.handOver(StreamHealth.FRESH);
  }

  @Override
  public boolean awaitsOpen() {
    return session.awaitsOpen();
  }

  @Override
  public void onTick(RangeRead read, long sinceNanos, long nowNanos) {
    reads.checkTimeout(read, sinceNanos, nowNanos);
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
