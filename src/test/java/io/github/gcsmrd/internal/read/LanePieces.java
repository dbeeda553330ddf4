// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import io.github.gcsmrd.internal.wire.ResponseParser;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** What arrives for a lane, and whoever waits for it. */
final class LanePieces {
  static final int BYTES = 8;

  private LanePieces() {}

  /** A message with one chunk, the number of which is its first byte and its memory's size. */
  static ReceivedMessage message(int chunk, long readId, long offset, boolean corrupt) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) chunk);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    byte[] encoded =
        BidiReadObjectResponse.newBuilder()
            .addObjectDataRanges(
                ObjectRangeData.newBuilder()
                    .setChecksummedData(
                        ChecksummedData.newBuilder()
                            .setContent(ByteString.copyFrom(bytes))
                            .setCrc32C((int) crc.getValue() ^ (corrupt ? 1 : 0)))
                    .setReadRange(ReadRange.newBuilder().setReadId(readId).setReadOffset(offset)))
            .build()
            .toByteArray();
    ByteBuffer[] fragments = {ByteBuffer.wrap(encoded)};
    MessageMemory memory = new MessageMemory(chunk, () -> {});
    return (ReceivedMessage) ResponseParser.parse(fragments, 1, memory);
  }

  /** Who waits for a range and does nothing with it. */
  static final class Nobody implements RangeCompletion {
    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public boolean claim() {
      return true;
    }

    @Override
    public void succeed(RangeResult result) {}

    @Override
    public void fail(Throwable failure) {}

    @Override
    public void quiet() {}
  }
}
