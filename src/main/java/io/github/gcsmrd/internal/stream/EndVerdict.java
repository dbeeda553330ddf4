// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/** What follows the end of a stream; decided by {@link EndJudge}, done by the connector. */
sealed interface EndVerdict {

  /** Nothing waits: the next range opens a stream. */
  record GoIdle() implements EndVerdict {}

  /** Open again at once: something changed, so this can't go on for ever. */
  record ReopenNow() implements EndVerdict {}

  /** Open again after a delay. */
  record ReopenAfter(long delayNanos) implements EndVerdict {}

  /** Renew the credentials, then open again, after the delay at the earliest. */
  record RenewCredentials(long delayNanos) implements EndVerdict {}

  /** Ask for the ranges of the stream one by one: one of them failed it, nobody knows which. */
  record TryOneByOne() implements EndVerdict {}

  /** Ask for half as many ranges at once: the error about them was too large. */
  record AskForHalf() implements EndVerdict {}

  /** The session is over. */
  record FailSession(SessionFailure failure) implements EndVerdict {}
}
