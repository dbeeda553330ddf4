// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/**
 * What came as one gRPC message. The receiver owns it and closes it exactly once, on every path.
 *
 * <p>The marshaller never throws (a throwing marshaller would look like a transient CANCELLED):
 * input that is no valid message arrives as {@link MalformedResponse}, its buffers released.
 */
public sealed interface Response permits ReceivedMessage, MalformedResponse {

  /** Drops the receiver's reference to the message's memory. */
  void close();
}
