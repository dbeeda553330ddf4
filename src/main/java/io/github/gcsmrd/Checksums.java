// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

/** Whether the bytes of a download are checked against the service's checksums. Immutable. */
public enum Checksums {
  /**
   * Each chunk is checked against its CRC32C before it is delivered, and a whole finalized object
   * also against the object's. The default.
   */
  ON,
  /** Nothing is hashed; {@link RangeResult#verified()} is false. */
  OFF
}
