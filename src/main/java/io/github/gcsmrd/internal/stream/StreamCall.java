// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/**
 * One open {@code BidiReadObject} call, as its stream sees it. Confined to the stream's loop.
 *
 * <p>After {@link #cancel} or the listener's {@code onEnd} every method does nothing.
 */
public interface StreamCall {

  /**
   * Sends an encoded {@code BidiReadObjectRequest}; it is queued if the transport is not ready.
   *
   * @param encodedRequest the message's bytes, owned by the call from now on
   */
  void send(byte[] encodedRequest);

  /** Whether the transport takes a message without queueing it. False before it is connected. */
  boolean isReady();

  /** Asks for {@code count} more messages. */
  void request(int count);

  /** Says that no request follows; the server then ends the call with OK. */
  void halfClose();

  /**
   * Ends the call at once. {@code onEnd} follows with {@link
   * io.github.gcsmrd.StatusCode#CANCELLED}, perhaps before this returns.
   */
  void cancel(String reason);

  /**
   * {@link #cancel} for silence. If the connection brought nothing either for that time, it may be
   * dead without a word, and the calls that follow get another; those on it go on.
   *
   * @param silentNanos how long the server could have sent something on this call, and did not
   */
  void cancelSilent(String reason, long silentNanos);
}
