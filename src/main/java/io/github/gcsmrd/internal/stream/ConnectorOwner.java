// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.wire.RangeData;
import io.github.gcsmrd.internal.wire.ReceivedMessage;

/** What a connector tells and asks its session. Confined to the loop. */
interface ConnectorOwner {
  /** Takes the headers of an answer; returns false if the session ends by it, once settled. */
  boolean onHeaders(LiveStream stream, ReceivedMessage message);

  /** An answer for a range asked for came; the memory is the message's. */
  void onData(RangeRead read, RangeData data, ReceivedMessage message);

  /** Runs a task once every piece that has arrived is settled; never, if the session ends. */
  void whenSettled(Runnable then);

  /**
   * A stream ended with ranges asked for, of which some may have been rewound since; returns how
   * many of the others ended by its error details.
   *
   * @param culprits whom an error without names can mean
   */
  int onRangeErrors(StreamEnd end, Culprits culprits, RangeRead[] stillAsked);

  /** A stream ended with a redirect. */
  void onRedirect(StreamEnd.Redirect redirect);

  /** What follows an end was decided; the read handle may be another. */
  void onJudged();

  /** The stream's health may be another. */
  void onHealth(StreamHealth health);

  /** The stream broke, and is not opened again for a while. */
  void onWaiting();

  /** Whether the open itself is waited for. */
  boolean awaitsOpen();

  /** A range asked for has had nothing since a time, or longer: its stream could bring it. */
  void onTick(RangeRead read, long sinceNanos, long nowNanos);

  /** A range can't be asked for again: it has all its bytes, or failed its last check. */
  boolean mustAskAgain(RangeRead read);

  /** The session is over. */
  void onFailure(SessionFailure failure);

  /** The last stream of a stopped connector ended. */
  void onStopped();
}
