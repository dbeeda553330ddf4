// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import java.time.Duration;
import java.util.Optional;

/**
 * What {@link FakeGcs} does to a stream out of turn: at a moment of a {@link StreamScript}, at a
 * byte of a {@link RangeScript}, or at once by {@link FakeGcs#perform}. Immutable and thread-safe.
 */
public sealed interface StreamAction {
  /** The HTTP/2 error code of {@link #reset()}: INTERNAL_ERROR. */
  int HTTP2_INTERNAL_ERROR = 2;

  /**
   * Ends the stream, whatever is pending.
   *
   * @param code the status; OK too
   * @return the action
   */
  static StreamAction end(StatusCode code) {
    return end(code, "");
  }

  /**
   * Ends the stream, whatever is pending.
   *
   * @param code the status; OK too
   * @param message the status' message
   * @return the action
   */
  static StreamAction end(StatusCode code, String message) {
    return end(code, message, StatusDetails.none());
  }

  /**
   * Ends the stream, whatever is pending.
   *
   * @param code the status; OK too
   * @param message the status' message
   * @param details the trailer with details
   * @return the action
   */
  static StreamAction end(StatusCode code, String message, StatusDetails details) {
    return new End(code, message, details);
  }

  /**
   * Ends the stream with ABORTED and a redirect that has a token and no read handle.
   *
   * @param routingToken the token
   * @return the action
   */
  static StreamAction redirect(String routingToken) {
    return redirect(StatusCode.ABORTED, Optional.of(routingToken), Optional.empty());
  }

  /**
   * Ends the stream with ABORTED and a redirect that has a token and a read handle.
   *
   * @param routingToken the token
   * @param readHandle the handle
   * @return the action
   */
  static StreamAction redirect(String routingToken, byte[] readHandle) {
    return redirect(StatusCode.ABORTED, Optional.of(routingToken), Optional.of(readHandle));
  }

  /**
   * Ends the stream with a redirect.
   *
   * @param code the status
   * @param routingToken the token, if there shall be one
   * @param readHandle the handle, if there shall be one
   * @return the action
   */
  static StreamAction redirect(
      StatusCode code, Optional<String> routingToken, Optional<byte[]> readHandle) {
    return end(code, "redirected", StatusDetails.redirect(routingToken, readHandle));
  }

  /**
   * Resets the HTTP/2 stream with INTERNAL_ERROR: no trailers come.
   *
   * @return the action
   */
  static StreamAction reset() {
    return reset(HTTP2_INTERNAL_ERROR);
  }

  /**
   * Resets the HTTP/2 stream: no trailers come.
   *
   * @param http2ErrorCode the code of RST_STREAM, for example 8 for CANCEL or 7 for REFUSED_STREAM
   * @return the action
   */
  static StreamAction reset(int http2ErrorCode) {
    return new Reset(http2ErrorCode);
  }

  /**
   * Drops the TCP connection with a reset: all its streams are lost.
   *
   * @return the action
   */
  static StreamAction dropConnection() {
    return new DropConnection();
  }

  /**
   * Sends GOAWAY on the stream's connection, as an ageing server does: its streams go on, new ones
   * go to another connection, and this one is closed after its last stream.
   *
   * @return the action
   */
  static StreamAction goAway() {
    return new GoAway();
  }

  /**
   * Sends SETTINGS on the stream's connection with another limit of concurrent streams. Those there
   * are go on.
   *
   * @param streams how many the connection may have from now on, 0 or more
   * @return the action
   */
  static StreamAction limitStreams(int streams) {
    return new LimitStreams(streams);
  }

  /**
   * Sends nothing on the stream until the gate opens. Requests are still read.
   *
   * @param gate what holds the stream
   * @return the action
   */
  static StreamAction hold(Gate gate) {
    return new Hold(gate);
  }

  /**
   * Sends nothing on the stream any more and doesn't end it. Requests are still read.
   *
   * @return the action
   */
  static StreamAction silence() {
    return new Hold(Gate.closed());
  }

  /**
   * Sends nothing on the stream for some time.
   *
   * @param time how long
   * @return the action
   */
  static StreamAction delay(Duration time) {
    return new Delay(time);
  }

  /**
   * Reads no further request of the stream until the gate opens, so that the flow-control window
   * fills. Data for ranges received before is still sent.
   *
   * @param gate what holds the requests
   * @return the action
   */
  static StreamAction stopReading(Gate gate) {
    return new StopReading(gate);
  }

  /**
   * Sends responses without any data.
   *
   * @param count how many
   * @return the action
   */
  static StreamAction emptyResponses(int count) {
    return new EmptyResponses(count);
  }

  /**
   * Sends bytes in place of a response, a valid message or not.
   *
   * @param message the message's bytes; copied
   * @return the action
   */
  static StreamAction raw(byte[] message) {
    return new RawResponse(Bytes.of(message));
  }

  /**
   * Sends a response with data that nobody may have asked for, with the right CRC32C.
   *
   * @param readId any id
   * @param offset any offset
   * @param content the data; copied
   * @return the action
   */
  static StreamAction stray(long readId, long offset, byte[] content) {
    return new Stray(readId, offset, Bytes.of(content));
  }

  /**
   * Puts a new read handle into the next response.
   *
   * @param handle the handle; copied
   * @return the action
   */
  static StreamAction readHandle(byte[] handle) {
    return new NewReadHandle(Bytes.of(handle));
  }

  /**
   * Runs a task of the test on the stream's executor; the stream waits for it.
   *
   * @param task must not block
   * @return the action
   */
  static StreamAction run(Runnable task) {
    return new Run(task);
  }

  /**
   * Made by {@link StreamAction#end}.
   *
   * @param code the status
   * @param message its message
   * @param details its details
   */
  record End(StatusCode code, String message, StatusDetails details) implements StreamAction {}

  /**
   * Made by {@link StreamAction#reset}.
   *
   * @param http2ErrorCode the code of RST_STREAM
   */
  record Reset(int http2ErrorCode) implements StreamAction {}

  /** Made by {@link StreamAction#dropConnection}. */
  record DropConnection() implements StreamAction {}

  /** Made by {@link StreamAction#goAway}. */
  record GoAway() implements StreamAction {}

  /**
   * Made by {@link StreamAction#limitStreams}.
   *
   * @param streams how many the connection may have
   */
  record LimitStreams(int streams) implements StreamAction {}

  /**
   * Made by {@link StreamAction#hold}.
   *
   * @param gate what holds the stream
   */
  record Hold(Gate gate) implements StreamAction {}

  /**
   * Made by {@link StreamAction#delay}.
   *
   * @param time how long
   */
  record Delay(Duration time) implements StreamAction {}

  /**
   * Made by {@link StreamAction#stopReading}.
   *
   * @param gate what holds the requests
   */
  record StopReading(Gate gate) implements StreamAction {}

  /**
   * Made by {@link StreamAction#emptyResponses}.
   *
   * @param count how many
   */
  record EmptyResponses(int count) implements StreamAction {}

  /**
   * Made by {@link StreamAction#raw}.
   *
   * @param message the message's bytes
   */
  record RawResponse(Bytes message) implements StreamAction {}

  /**
   * Made by {@link StreamAction#stray}.
   *
   * @param readId the id
   * @param offset the offset
   * @param content the data
   */
  record Stray(long readId, long offset, Bytes content) implements StreamAction {}

  /**
   * Made by {@link StreamAction#readHandle}.
   *
   * @param handle the handle
   */
  record NewReadHandle(Bytes handle) implements StreamAction {}

  /**
   * Made by {@link StreamAction#run}.
   *
   * @param task the test's task
   */
  record Run(Runnable task) implements StreamAction {}
}
