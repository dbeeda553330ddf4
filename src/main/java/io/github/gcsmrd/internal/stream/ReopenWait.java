// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wait before a stream is opened again: for a delay to pass, or for credentials to be renewed.
 * At most one at a time. Confined to the loop.
 */
final class ReopenWait {
  private final Loop loop;
  private final CredentialsRenewal renewal;
  private final Consumer<Boolean> over;
  private Loop.@Nullable Timer timer;

  /**
   * Nothing is waited for.
   *
   * @param over told when a wait that was not cancelled is over: whether it brought what was waited
   *     for
   */
  ReopenWait(Loop loop, CredentialsRenewal renewal, Consumer<Boolean> over) {
    this.loop = loop;
    this.renewal = renewal;
    this.over = over;
  }

  /** Waits for a time. */
  void delay(long delayNanos) {
    timer = loop.schedule(() -> end(true), delayNanos);
  }

  /**
   * Waits for new credentials, but not for ever.
   *
   * @param limitNanos for how long at most, once the delay has passed
   * @param delayNanos for how long at least
   */
  void renewal(long limitNanos, long delayNanos) {
    long earliestNanos = loop.now() + delayNanos;
    Loop.Timer limit = loop.schedule(() -> end(false), delayNanos + limitNanos);
    timer = limit;
    renewal.renew(renewed -> loop.execute(() -> renewed(renewed, limit, earliestNanos)));
  }

  private void renewed(boolean renewed, Loop.Timer limit, long earliestNanos) {
    if (timer != limit) {
      return;
    }
    long leftNanos = earliestNanos - loop.now();
    if (leftNanos <= 0 || !renewed) {
      end(renewed);
    } else {
      cancel();
      delay(leftNanos);
    }
  }

  private void end(boolean successful) {
    cancel();
    over.accept(successful);
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
