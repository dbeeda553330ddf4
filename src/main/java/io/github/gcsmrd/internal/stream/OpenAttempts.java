// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.UUID;

/** Numbers the attempts of an open, which share an idempotency token. Confined to the loop. */
final class OpenAttempts {
  private final SessionConfig config;
  private final ObjectPin pin;
  private String token = "";
  private int attempt;

  OpenAttempts(SessionConfig config, ObjectPin pin) {
    this.config = config;
    this.pin = pin;
  }

  /** The next attempt is the first of another open. */
  void startOver() {
    token = UUID.randomUUID().toString();
    attempt = 0;
  }

  /** What the headers of the next attempt depend on. */
  StreamTransport.OpenRequest next() {
    return new StreamTransport.OpenRequest(
        config.bucket(), pin.routingToken(), token, ++attempt, config.headers());
  }
}
