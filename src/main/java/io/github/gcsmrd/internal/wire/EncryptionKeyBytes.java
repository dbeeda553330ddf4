// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/** A customer-supplied AES-256 key and its SHA-256. Immutable; never shown as text. */
public final class EncryptionKeyBytes {
  private final byte[] key;
  private final byte[] sha256;

  /** Copies both. */
  public EncryptionKeyBytes(byte[] key, byte[] sha256) {
    this.key = key.clone();
    this.sha256 = sha256.clone();
  }

  /** The key's own bytes, not to be changed. */
  byte[] key() {
    return key;
  }

  /** The hash's own bytes, not to be changed. */
  byte[] sha256() {
    return sha256;
  }

  @Override
  public String toString() {
    return "EncryptionKeyBytes[not shown]";
  }
}
