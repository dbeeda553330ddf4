// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/**
 * Parses {@code ObjectRangeData}, one after the other. Confined to one parse.
 *
 * <p>Embedded messages that come again are merged, as protobuf does: fields of the later ones
 * replace those of the earlier ones.
 */
final class RangeDataParser {
  private static final int CHECKSUMMED_DATA = WireFormat.tag(1, WireFormat.LENGTH_DELIMITED);
  private static final int READ_RANGE = WireFormat.tag(2, WireFormat.LENGTH_DELIMITED);
  private static final int RANGE_END = WireFormat.tag(3, WireFormat.VARINT);

  private static final int CONTENT = WireFormat.tag(1, WireFormat.LENGTH_DELIMITED);
  private static final int CRC32C = WireFormat.tag(2, WireFormat.FIXED32);

  private static final int READ_OFFSET = WireFormat.tag(1, WireFormat.VARINT);
  private static final int READ_LENGTH = WireFormat.tag(2, WireFormat.VARINT);
  private static final int READ_ID = WireFormat.tag(3, WireFormat.VARINT);

  private final FragmentCursor cursor;

  private boolean hasReadRange;
  private long readId;
  private long offset;
  private long length;
  private boolean rangeEnd;
  private boolean hasChecksum;
  private int crc32c;
  private Content content = Content.empty();

  RangeDataParser(FragmentCursor cursor) {
    this.cursor = cursor;
  }

  /** Parses the embedded message whose length comes next. */
  RangeData parse() throws MalformedException {
    clear();
    int outerEnd = cursor.enterMessage();
    int tag = cursor.readTag();
    if (tag == 0) {
      cursor.leaveMessage(outerEnd);
      return RangeData.EMPTY;
    }
    for (; tag != 0; tag = cursor.readTag()) {
      if (tag == CHECKSUMMED_DATA) {
        mergeChecksummedData();
      } else if (tag == READ_RANGE) {
        mergeReadRange();
      } else if (tag == RANGE_END) {
        rangeEnd = cursor.readVarint() != 0;
      } else {
        UnknownFields.skip(cursor, tag);
      }
    }
    cursor.leaveMessage(outerEnd);
    return new RangeData(
        hasReadRange, readId, offset, length, rangeEnd, hasChecksum, crc32c, content);
  }

  private void clear() {
    hasReadRange = false;
    readId = 0;
    offset = 0;
    length = 0;
    rangeEnd = false;
    hasChecksum = false;
    crc32c = 0;
    content = Content.empty();
  }

  private void mergeChecksummedData() throws MalformedException {
    int outerEnd = cursor.enterMessage();
    for (int tag = cursor.readTag(); tag != 0; tag = cursor.readTag()) {
      if (tag == CONTENT) {
        content = cursor.readContent();
      } else if (tag == CRC32C) {
        crc32c = cursor.readFixed32();
        hasChecksum = true;
      } else {
        UnknownFields.skip(cursor, tag);
      }
    }
    cursor.leaveMessage(outerEnd);
  }

  private void mergeReadRange() throws MalformedException {
    int outerEnd = cursor.enterMessage();
    hasReadRange = true;
    for (int tag = cursor.readTag(); tag != 0; tag = cursor.readTag()) {
      if (tag == READ_OFFSET) {
        offset = cursor.readVarint();
      } else if (tag == READ_LENGTH) {
        length = cursor.readVarint();
      } else if (tag == READ_ID) {
        readId = cursor.readVarint();
      } else {
        UnknownFields.skip(cursor, tag);
      }
    }
    cursor.leaveMessage(outerEnd);
  }
}
