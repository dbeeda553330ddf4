// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.StreamAction;
import java.util.List;
import java.util.zip.CRC32C;

/** Responses that no script of the server composes. Stateless and thread-safe. */
final class RawResponses {
  private RawResponses() {}

  /** Sends pieces in one response, as they are. */
  static StreamAction response(ObjectRangeData... pieces) {
    return StreamAction.raw(
        BidiReadObjectResponse.newBuilder()
            .addAllObjectDataRanges(List.of(pieces))
            .build()
            .toByteArray());
  }

  /** A piece with the right CRC32C of bytes of the object. */
  static ObjectRangeData piece(
      long readId, ObjectContent content, long offset, int length, boolean rangeEnd) {
    byte[] bytes = content.read(offset, length);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return ObjectRangeData.newBuilder()
        .setReadRange(
            ReadRange.newBuilder().setReadId(readId).setReadOffset(offset).setReadLength(length))
        .setChecksummedData(
            ChecksummedData.newBuilder()
                .setContent(ByteString.copyFrom(bytes))
                .setCrc32C((int) crc.getValue()))
        .setRangeEnd(rangeEnd)
        .build();
  }
}
