// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import org.jspecify.annotations.Nullable;

/**
 * The wait before a stream is opened again: for a delay to pass, or for credentials to be renewed.
 * At most one at a time. Confined to the loop.
 */
final class ReopenWait {
  private final Loop loop;
  private final CredentialsRenewal renewal;
  private final Runnable over;
  private Loop.@Nullable Timer timer;

  /**
   * Nothing is waited for.
   *
   * @param over told when a wait that was not cancelled is over
   */
  ReopenWait(Loop loop, CredentialsRenewal renewal, Runnable over) {
    this.loop = loop;
    this.renewal = renewal;
    this.over = over;
  }

  /** Waits for a time. */
  void delay(long delayNanos) {
    timer = loop.schedule(this::end, delayNanos);
  }

  /** Waits for new credentials, but not for ever. */
  void renewal(long limitNanos) {
    Loop.Timer limit = loop.schedule(this::end, limitNanos);
    timer = limit;
    renewal.renew(() -> loop.execute(() -> renewed(limit)));
  }

  private void renewed(Loop.Timer limit) {
    if (timer == limit) {
      end();
    }
  }

  private void end() {
    cancel();
    over.run();
  }

  /** Waits no more. */
  void cancel() {
    Loop.Timer waiting = timer;
    timer = null;
    if (waiting != null) {
      waiting.cancel();
    }
  }
}
