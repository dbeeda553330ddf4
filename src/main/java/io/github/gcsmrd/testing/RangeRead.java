// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.testing.RangeScript.EmptyChunks;
import io.github.gcsmrd.testing.RangeScript.Event;
import io.github.gcsmrd.testing.RangeScript.Jump;
import io.github.gcsmrd.testing.RangeScript.RangeEnd;
import io.github.gcsmrd.testing.RangeScript.Step;
import org.jspecify.annotations.Nullable;

/**
 * One range being answered: where it is, and what its script does next. Confined to its stream.
 *
 * <p>Its pieces come in this order: the data, cut at the positions of the script, then the end on a
 * piece of its own where the script wants one.
 */
final class RangeRead {
  private final long readId;
  private final int message;
  private final ObjectContent content;
  private final RangeScript script;
  private final long end;
  private final boolean endsOnPieceOfItsOwn;
  private long position;
  private long sent;
  private int pieces;
  private int nextStep;
  private int emptyPiecesDue;
  private boolean dataDone;
  private boolean endDone;
  private boolean held;

  private RangeRead(
      long readId, int message, ObjectContent content, long start, long end, RangeScript script) {
    this.readId = readId;
    this.message = message;
    this.content = content;
    this.script = script;
    this.end = end + script.surplusBytes;
    position = start;
    endsOnPieceOfItsOwn =
        switch (script.rangeEnd) {
          case ON_LAST_CHUNK, MISSING -> false;
          case LATE, LATE_WITHOUT_DATA, TWICE -> true;
        };
  }

  /**
   * Starts the answer.
   *
   * @param asked what the client asked for
   * @param message the place of its message on the stream
   * @param content the object's bytes when the range was received
   * @param script what the server does otherwise than usual
   */
  static RangeRead start(
      StreamRecord.Range asked, int message, ObjectContent content, RangeScript script) {
    long size = content.size();
    long start = asked.offset() >= 0 ? asked.offset() : Math.max(0, size + asked.offset());
    boolean toEnd = asked.length() == 0 || asked.length() > size - start;
    long end = toEnd ? size : start + Math.max(0, asked.length());
    return new RangeRead(asked.readId(), message, content, start, end, script);
  }

  /** Whether an object of some size has the range at all. */
  static boolean isInside(StreamRecord.Range asked, long size) {
    return asked.length() >= 0 && asked.offset() <= size;
  }

  long readId() {
    return readId;
  }

  int message() {
    return message;
  }

  ObjectContent content() {
    return content;
  }

  RangeScript script() {
    return script;
  }

  boolean isHeld() {
    return held;
  }

  void setHeld(boolean held) {
    this.held = held;
  }

  /** Whether all was sent and all of the script was done. */
  boolean isFinished() {
    return dataDone && emptyPiecesDue == 0 && (endDone || !endsOnPieceOfItsOwn) && !hasDueStep();
  }

  /** Whether the script wants something done before the next piece. */
  boolean hasDueStep() {
    return nextStep < script.steps.size() && script.steps.get(nextStep).afterBytes() <= sent;
  }

  /**
   * Takes the next event that the stream must see to; the range sees to the others itself.
   *
   * @return null if there is none now
   */
  @Nullable Event takeDueEvent() {
    while (emptyPiecesDue == 0 && hasDueStep()) {
      Event event = script.steps.get(nextStep++).event();
      if (event instanceof Jump jump) {
        position = Math.max(0, position + jump.bytes());
      } else if (event instanceof EmptyChunks empty) {
        emptyPiecesDue = empty.count();
      } else {
        return event;
      }
    }
    return null;
  }

  /**
   * Takes the next piece; no event is due.
   *
   * @param chunkBytes the stream's chunk size
   * @param limit how many bytes the stream's script allows now
   * @return null if there is none left
   */
  @Nullable Piece takePiece(int chunkBytes, long limit) {
    if (emptyPiecesDue > 0) {
      emptyPiecesDue--;
      return piece(0, false, true);
    }
    if (!dataDone) {
      return dataPiece(Math.min(limit, script.chunkBytes.orElse(chunkBytes)));
    }
    if (endsOnPieceOfItsOwn && !endDone) {
      endDone = true;
      return piece(0, true, script.rangeEnd != RangeEnd.LATE_WITHOUT_DATA);
    }
    return null;
  }

  private Piece dataPiece(long limit) {
    long length = Math.min(limit, bytesLeft());
    if (nextStep < script.steps.size()) {
      length = Math.min(length, script.steps.get(nextStep).afterBytes() - sent);
    }
    long early = script.earlyEnd.orElse(-1);
    if (early > sent) {
      length = Math.min(length, early - sent);
    }
    boolean last = length == bytesLeft() && !jumpsBackAt(sent + length);
    boolean toldHere =
        script.rangeEnd == RangeEnd.ON_LAST_CHUNK || script.rangeEnd == RangeEnd.TWICE;
    boolean tellEnd = (last && toldHere) || (length > 0 && sent + length == early);
    dataDone = last;
    return piece((int) length, tellEnd, true);
  }

  private long bytesLeft() {
    long untilEnd = Math.max(0, end - position);
    return Math.max(0, Math.min(untilEnd, script.shortBytes.orElse(Long.MAX_VALUE) - sent));
  }

  /** An overlap at the very end makes more data follow. */
  private boolean jumpsBackAt(long sentThen) {
    for (int i = nextStep; i < script.steps.size(); i++) {
      Step step = script.steps.get(i);
      if (step.afterBytes() == sentThen && step.event() instanceof Jump jump && jump.bytes() < 0) {
        return true;
      }
    }
    return false;
  }

  private Piece piece(int length, boolean rangeEnd, boolean hasData) {
    Piece piece = new Piece(this, pieces++, position, length, rangeEnd, hasData);
    position += length;
    sent += length;
    return piece;
  }

  /**
   * What goes into one {@code ObjectRangeData}, before chunk faults.
   *
   * @param range its range
   * @param index its place in the range, from 0
   * @param offset where its content starts in the object
   * @param length the length of its content
   * @param rangeEnd whether it tells the end
   * @param hasData whether there is {@code checksummed_data}, perhaps empty
   */
  record Piece(
      RangeRead range, int index, long offset, int length, boolean rangeEnd, boolean hasData) {}
}
