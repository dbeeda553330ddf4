// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.StatusCode;

/**
 * What is wrong with the answer for a range, so that its bytes are asked for again. Immutable. Each
 * counts against the range's repair budget.
 */
public sealed interface ReadFault {

  /** In words, for the error. */
  String describe();

  /** A chunk did not match its checksum. */
  record Corrupt(long offset, int length, int expectedCrc32c, int actualCrc32c)
      implements ReadFault {
    @Override
    public String describe() {
      return "chunk of " + length + " bytes does not match its checksum";
    }
  }

  /** A chunk starts where it can't. */
  record Misplaced(long expectedOffset, long actualOffset, int length) implements ReadFault {
    @Override
    public String describe() {
      return "chunk of "
          + length
          + " bytes at offset "
          + actualOffset
          + ", expected offset "
          + expectedOffset;
    }
  }

  /** A chunk says that it has a negative length. */
  record NegativeLength(long offset, long length) implements ReadFault {
    @Override
    public String describe() {
      return "chunk at offset " + offset + " claims a length of " + length;
    }
  }

  /** The server ended the range too early, by the size of the finalized object. */
  record TooShort(long deliveredBytes, long expectedBytes) implements ReadFault {
    @Override
    public String describe() {
      return "short read " + deliveredBytes + " of " + expectedBytes + " bytes";
    }
  }

  /** More bytes than asked for; the surplus was cut. */
  record Surplus(long bytes) implements ReadFault {
    @Override
    public String describe() {
      return bytes + " bytes more than asked for";
    }
  }

  /** The server failed the range with a status that is worth asking again. */
  record Refused(StatusCode code, String message) implements ReadFault {
    @Override
    public String describe() {
      return "the service failed the range: " + code + ": " + message;
    }
  }
}
