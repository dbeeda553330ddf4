// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.stream.CredentialsRenewal;
import io.github.gcsmrd.internal.transport.TransportCredentials;
import java.util.Optional;
import java.util.function.Consumer;

/** Joins a session's wish for new credentials to the client's. Thread-safe. */
record Renewals(TransportCredentials credentials) implements CredentialsRenewal {

  static CredentialsRenewal of(Optional<TransportCredentials> credentials) {
    return credentials.<CredentialsRenewal>map(Renewals::new).orElse(IMPOSSIBLE);
  }

  @Override
  public boolean isPossible() {
    return true;
  }

  @Override
  public void renew(Consumer<Boolean> then) {
    var unused = credentials.refresh().thenAccept(then);
  }
}
