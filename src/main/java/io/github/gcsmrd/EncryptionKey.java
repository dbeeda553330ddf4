// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;

/**
 * A customer-supplied AES-256 key under which an object was written. Immutable and thread-safe.
 * {@link #toString()} never shows the key.
 */
public final class EncryptionKey {
  /** The length of a key in bytes. */
  public static final int KEY_BYTES = 32;

  private final byte[] key;

  private EncryptionKey(byte[] key) {
    this.key = key;
  }

  /**
   * Makes a key of its bytes.
   *
   * @param key 32 bytes; copied
   * @return the key
   * @throws IllegalArgumentException if the length is another
   */
  public static EncryptionKey of(byte[] key) {
    Objects.requireNonNull(key, "key");
    return new EncryptionKey(sized(key, "key").clone());
  }

  /**
   * Makes a key of its base64 text, the form in which other tools take it.
   *
   * @param base64 the key's 32 bytes in base64
   * @return the key
   * @throws IllegalArgumentException if it isn't base64 or the length is another
   */
  public static EncryptionKey ofBase64(String base64) {
    Objects.requireNonNull(base64, "base64");
    byte[] key;
    try {
      key = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // Its message shows a piece of the key.
      throw new IllegalArgumentException("base64 is no base64 text (it is not shown: a secret)");
    }
    return new EncryptionKey(sized(key, "base64"));
  }

  private static byte[] sized(byte[] key, String name) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          name + " must be " + KEY_BYTES + " bytes for AES-256, is " + key.length);
    }
    return key;
  }

  /**
   * Returns the key's bytes.
   *
   * @return a copy
   */
  public byte[] toByteArray() {
    return key.clone();
  }

  /**
   * Returns the SHA-256 of the key, which goes with it on the wire.
   *
   * @return 32 bytes
   */
  public byte[] sha256() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncryptionKey that && MessageDigest.isEqual(key, that.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return "EncryptionKey[AES256, hidden]";
  }
}
