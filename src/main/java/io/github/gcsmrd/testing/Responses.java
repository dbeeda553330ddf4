// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import com.google.storage.v2.BidiReadHandle;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectChecksums;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.testing.ChunkFault.OffsetOffBy;
import io.github.gcsmrd.testing.RangeRead.Piece;
import io.github.gcsmrd.testing.RangeScript.FaultyChunks;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Composes the parts of responses. Confined to its stream: the memory of a chunk may be used again
 * for the next response, so a response must have been serialized by then.
 */
final class Responses {
  private static final byte FILLER = (byte) 0xEE;

  private final boolean reuseChunk;
  private final CRC32C crc32c = new CRC32C();
  private byte[] chunk = {};

  /**
   * Starts without memory.
   *
   * @param piecesPerResponse how many pieces a response can have
   */
  Responses(int piecesPerResponse) {
    reuseChunk = piecesPerResponse == 1;
  }

  static BidiReadHandle handle(Bytes handle) {
    return BidiReadHandle.newBuilder().setHandle(ByteString.copyFrom(handle.array())).build();
  }

  static com.google.storage.v2.Object metadata(FakeObject object, OptionalLong generation) {
    com.google.storage.v2.Object.Builder metadata =
        com.google.storage.v2.Object.newBuilder()
            .setName(object.name())
            .setBucket("projects/_/buckets/" + object.bucket())
            .setGeneration(generation.orElse(object.generation()))
            .setMetageneration(object.metageneration())
            .setSize(object.content().size())
            .setContentEncoding(object.options().contentEncoding())
            .setEtag("etag-" + object.generation());
    object
        .crc32c()
        .ifPresent(crc -> metadata.setChecksums(ObjectChecksums.newBuilder().setCrc32C(crc)));
    object
        .finalizeTime()
        .ifPresent(
            time ->
                metadata.setFinalizeTime(
                    Timestamp.newBuilder()
                        .setSeconds(time.getEpochSecond())
                        .setNanos(time.getNano())));
    return metadata.build();
  }

  ObjectRangeData data(Piece piece) {
    ReadRange.Builder range =
        ReadRange.newBuilder()
            .setReadId(piece.range().readId())
            .setReadOffset(piece.offset())
            .setReadLength(piece.length());
    ObjectRangeData.Builder data = ObjectRangeData.newBuilder().setRangeEnd(piece.rangeEnd());
    data.setReadRange(range);
    if (piece.hasData()) {
      data.setChecksummedData(content(piece));
    }
    for (FaultyChunks faulty : piece.range().script().faults) {
      if (faulty.match().matches(piece.index(), piece.offset(), piece.length())) {
        spoil(data, faulty.fault());
      }
    }
    return data.build();
  }

  ObjectRangeData data(long readId, long offset, Bytes content) {
    return ObjectRangeData.newBuilder()
        .setReadRange(
            ReadRange.newBuilder()
                .setReadId(readId)
                .setReadOffset(offset)
                .setReadLength(content.size()))
        .setChecksummedData(checksummed(content.array(), 0, content.size()))
        .build();
  }

  private ChecksummedData content(Piece piece) {
    ObjectContent content = piece.range().content();
    long size = content.size();
    int length = piece.length();
    if (content instanceof BytesContent bytes && piece.offset() <= size - length) {
      return checksummed(bytes.array(), (int) piece.offset(), length);
    }
    byte[] target = memory(length);
    int present = (int) Math.max(0, Math.min(length, size - piece.offset()));
    if (present > 0) {
      content.read(piece.offset(), target, 0, present);
    }
    Arrays.fill(target, present, length, FILLER);
    return checksummed(target, 0, length);
  }

  private byte[] memory(int length) {
    if (!reuseChunk) {
      return new byte[length];
    }
    if (chunk.length < length) {
      chunk = new byte[length];
    }
    return chunk;
  }

  private ChecksummedData checksummed(byte[] array, int offset, int length) {
    crc32c.reset();
    crc32c.update(array, offset, length);
    return ChecksummedData.newBuilder()
        .setContent(UnsafeByteOperations.unsafeWrap(array, offset, length))
        .setCrc32C((int) crc32c.getValue())
        .build();
  }

  private void spoil(ObjectRangeData.Builder data, ChunkFault fault) {
    if (fault instanceof OffsetOffBy off) {
      ReadRange.Builder range = data.getReadRangeBuilder();
      range.setReadOffset(range.getReadOffset() + off.bytes());
      return;
    }
    ChecksummedData.Builder content = data.getChecksummedDataBuilder();
    switch ((ChunkFault.Kind) fault) {
      case WRONG_CRC32C -> content.setCrc32C(~content.getCrc32C());
      case ABSENT_CRC32C -> content.clearCrc32C();
      case ZERO_CRC32C -> content.setCrc32C(0);
      case FLIPPED_BIT -> content.setContent(flipped(content.getContent()));
      case FLIPPED_BIT_WITH_MATCHING_CRC32C -> {
        byte[] bytes = flipped(content.getContent()).toByteArray();
        data.setChecksummedData(checksummed(bytes, 0, bytes.length));
      }
      case NO_READ_RANGE -> data.clearReadRange();
      case NO_CHECKSUMMED_DATA -> data.clearChecksummedData();
      case NEGATIVE_OFFSET -> data.getReadRangeBuilder().setReadOffset(-1);
      case NEGATIVE_LENGTH -> data.getReadRangeBuilder().setReadLength(-1);
      case UNKNOWN_READ_ID -> data.getReadRangeBuilder().setReadId(FakeGcs.UNKNOWN_READ_ID);
    }
  }

  private static ByteString flipped(ByteString content) {
    byte[] bytes = content.toByteArray();
    if (bytes.length > 0) {
      bytes[bytes.length / 2] ^= 1;
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
