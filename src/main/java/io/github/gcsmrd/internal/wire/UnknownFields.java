// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/** Skips what this library doesn't know. Stateless. */
final class UnknownFields {
  private UnknownFields() {}

  /** Skips the field of a tag that was just read, a group with all it holds. */
  static void skip(FragmentCursor cursor, int tag) throws MalformedException {
    switch (WireFormat.wireType(tag)) {
      case WireFormat.VARINT -> cursor.readVarint();
      case WireFormat.FIXED64 -> cursor.skip(Long.BYTES);
      case WireFormat.LENGTH_DELIMITED -> cursor.skip(cursor.readLength());
      case WireFormat.START_GROUP -> skipGroup(cursor, WireFormat.fieldNumber(tag));
      case WireFormat.END_GROUP -> throw cursor.malformed("end of a group that was not begun");
      case WireFormat.FIXED32 -> cursor.skip(Integer.BYTES);
      default -> throw cursor.malformed("wire type " + WireFormat.wireType(tag));
    }
  }

  private static void skipGroup(FragmentCursor cursor, int number) throws MalformedException {
    cursor.descend();
    int last = WireFormat.tag(number, WireFormat.END_GROUP);
    for (int tag = cursor.readTag(); tag != last; tag = cursor.readTag()) {
      if (tag == 0) {
        throw cursor.malformed("group without an end");
      }
      skip(cursor, tag);
    }
    cursor.ascend();
  }
}
