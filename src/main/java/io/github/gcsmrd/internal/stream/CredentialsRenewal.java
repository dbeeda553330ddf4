// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.function.Consumer;

/** Renews the credentials of the calls after the service refused them. Thread-safe. */
public interface CredentialsRenewal {
  /** For calls without credentials. */
  CredentialsRenewal IMPOSSIBLE =
      new CredentialsRenewal() {
        @Override
        public boolean isPossible() {
          return false;
        }

        @Override
        public void renew(Consumer<Boolean> then) {
          then.accept(false);
        }
      };

  /** Whether there are credentials that could be renewed. */
  boolean isPossible();

  /**
   * Renews them off the loop.
   *
   * @param then told on any thread when it is done: whether the next open carries new ones
   */
  void renew(Consumer<Boolean> then);
}
