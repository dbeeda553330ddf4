// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

/** Where a competitor puts the bytes it reads. */
enum Delivery {
  /** Into direct buffers of the caller: the copy that most callers need. */
  BUFFERS,
  /** As views of the received memory, on the thread that received it, of which nobody reads. */
  VIEWS
}
