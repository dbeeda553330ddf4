// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/** The numbers of protobuf's wire format. Stateless. */
final class WireFormat {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH_DELIMITED = 2;
  static final int START_GROUP = 3;
  static final int END_GROUP = 4;
  static final int FIXED32 = 5;

  private static final int TYPE_BITS = 3;

  private WireFormat() {}

  static int tag(int fieldNumber, int wireType) {
    return (fieldNumber << TYPE_BITS) | wireType;
  }

  static int fieldNumber(int tag) {
    return tag >>> TYPE_BITS;
  }

  static int wireType(int tag) {
    return tag & ((1 << TYPE_BITS) - 1);
  }
}
