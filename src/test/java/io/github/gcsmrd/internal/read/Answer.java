// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.internal.wire.Fragments;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.RangeData;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import io.github.gcsmrd.internal.wire.ResponseParser;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** One answer for a range, as the parser makes it, and the memory it lies in. */
record Answer(RangeData data, MessageMemory memory, int crc32c) {

  /** Bytes of an object whose byte at offset n is the lowest byte of n times 31. */
  static Answer of(long offset, int length, boolean rangeEnd) {
    return of(builder(offset, length).setRangeEnd(rangeEnd));
  }

  static Answer of(ObjectRangeData.Builder data) {
    byte[] encoded =
        BidiReadObjectResponse.newBuilder().addObjectDataRanges(data).build().toByteArray();
    ByteBuffer[] fragments = Fragments.even(encoded, 1 + encoded.length / 3, false);
    MessageMemory memory = new MessageMemory(encoded.length, () -> {});
    ReceivedMessage message =
        (ReceivedMessage) ResponseParser.parse(fragments, fragments.length, memory);
    byte[] content = data.getChecksummedData().getContent().toByteArray();
    return new Answer(message.range(0), memory, crc(content));
  }

  static ObjectRangeData.Builder builder(long offset, int length) {
    byte[] bytes = bytes(offset, length);
    return ObjectRangeData.newBuilder()
        .setChecksummedData(
            ChecksummedData.newBuilder()
                .setContent(ByteString.copyFrom(bytes))
                .setCrc32C(crc(bytes)))
        .setReadRange(ReadRange.newBuilder().setReadId(1).setReadOffset(offset));
  }

  static byte[] bytes(long offset, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ((offset + i) * 31);
    }
    return bytes;
  }

  static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
