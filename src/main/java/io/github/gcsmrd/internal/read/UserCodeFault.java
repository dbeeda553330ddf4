// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

/**
 * User code broke its contract: its message says how, and what to do. Immutable, stackless: it
 * never leaves the library.
 */
public final class UserCodeFault extends Exception {
  private static final long serialVersionUID = 1L;

  UserCodeFault(String message) {
    super(message, null, false, false);
  }
}
