// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.StreamCall;

/** A call that was never started: every method does nothing. Immutable and thread-safe. */
final class RefusedCall implements StreamCall {

  @Override
  public void send(byte[] encodedRequest) {}

  @Override
  public boolean isReady() {
    return false;
  }

  @Override
  public void request(int count) {}

  @Override
  public void halfClose() {}

  @Override
  public void cancel(String reason) {}

  @Override
  public void cancelSilent(String reason, long silentNanos) {}
}
