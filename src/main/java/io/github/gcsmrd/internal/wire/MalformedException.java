// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/** Says what is wrong with a message, and where. Never leaves the parser; has no stack trace. */
final class MalformedException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedException(String problem, int position) {
    super(problem + " at byte " + position, null, false, false);
  }
}
