// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/** What is to be expected of a session's stream, the best first. */
public enum StreamHealth {
  /** It is open. */
  OPEN,
  /** It is being opened, or will be when it is needed; nothing went wrong. */
  FRESH,
  /** It broke, and is waited for or being opened again. */
  TROUBLED,
  /** It failed for good, or is closed. */
  ENDED
}
