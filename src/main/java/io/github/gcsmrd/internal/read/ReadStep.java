// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

/** What follows for a range once a piece of it is settled; decided here, done by the connector. */
public sealed interface ReadStep {
  /** More is to come under the same read id. */
  ReadStep CONTINUE = new Continue();

  /** The range is delivered. */
  ReadStep FINISHED = new Finished();

  /** What was asked came, the range has more: ask on when the destination has credit. */
  ReadStep ASK_ON = new AskOn();

  /** See {@link #CONTINUE}. */
  record Continue() implements ReadStep {}

  /** See {@link #FINISHED}. */
  record Finished() implements ReadStep {}

  /** See {@link #ASK_ON}. */
  record AskOn() implements ReadStep {}

  /** The answer was wrong: ask again from the delivered bytes, if the repair budget allows. */
  record Repair(ReadFault fault) implements ReadStep {}

  /** The range fails. */
  record Fail(RangeFailure failure) implements ReadStep {}
}
