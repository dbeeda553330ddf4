// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.storage.v2.BidiReadHandle;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectChecksums;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

/** An object of random bytes, and the responses an honest server makes of it. Immutable. */
public final class TestObject {
  static final long GENERATION = 77;

  private final byte[] bytes;
  private final boolean isFinal;

  public TestObject(int size, boolean isFinal, long seed) {
    this.bytes = new byte[size];
    this.isFinal = isFinal;
    new Random(seed).nextBytes(bytes);
  }

  public int size() {
    return bytes.length;
  }

  boolean isFinal() {
    return isFinal;
  }

  public byte[] bytes(long from, long to) {
    return Arrays.copyOfRange(
        bytes, (int) Math.min(from, bytes.length), (int) Math.min(to, bytes.length));
  }

  public BidiReadObjectResponse metadata() {
    return metadata(GENERATION);
  }

  public BidiReadObjectResponse metadata(long generation) {
    com.google.storage.v2.Object.Builder metadata =
        com.google.storage.v2.Object.newBuilder()
            .setName("object")
            .setBucket("projects/_/buckets/bucket")
            .setGeneration(generation)
            .setMetageneration(3)
            .setSize(bytes.length)
            .setEtag("tag")
            .setChecksums(ObjectChecksums.newBuilder().setCrc32C(crc(bytes)));
    if (isFinal) {
      metadata.setFinalizeTime(Timestamp.newBuilder().setSeconds(1_700_000_000));
    }
    return BidiReadObjectResponse.newBuilder().setMetadata(metadata).build();
  }

  static BidiReadObjectResponse handle(byte... handle) {
    return BidiReadObjectResponse.newBuilder()
        .setReadHandle(BidiReadHandle.newBuilder().setHandle(ByteString.copyFrom(handle)))
        .build();
  }

  public static BidiReadObjectResponse of(ObjectRangeData... data) {
    return BidiReadObjectResponse.newBuilder().addAllObjectDataRanges(Arrays.asList(data)).build();
  }

  /** The bytes of the object from an offset on, as many as there are. */
  public ObjectRangeData.Builder chunk(long readId, long offset, int length) {
    return chunk(readId, offset, bytes(offset, offset + length));
  }

  /** Any bytes, with their checksum. */
  public static ObjectRangeData.Builder chunk(long readId, long offset, byte[] content) {
    return ObjectRangeData.newBuilder()
        .setChecksummedData(
            ChecksummedData.newBuilder()
                .setContent(ByteString.copyFrom(content))
                .setCrc32C(crc(content)))
        .setReadRange(
            ReadRange.newBuilder()
                .setReadId(readId)
                .setReadOffset(offset)
                .setReadLength(content.length));
  }

  /** Says that nothing more comes for a range. */
  static ObjectRangeData.Builder rangeEnd(long readId) {
    return ObjectRangeData.newBuilder()
        .setReadRange(ReadRange.newBuilder().setReadId(readId))
        .setRangeEnd(true);
  }

  /** The whole answer for a range in one chunk. */
  public ObjectRangeData whole(ReadRange range) {
    long from = start(range);
    long to = range.getReadLength() == 0 ? bytes.length : from + range.getReadLength();
    return chunk(range.getReadId(), from, bytes(from, to)).setRangeEnd(true).build();
  }

  /** The absolute offset at which the answer for a range starts. */
  long start(ReadRange range) {
    return range.getReadOffset() < 0
        ? Math.max(0, bytes.length + range.getReadOffset())
        : range.getReadOffset();
  }

  static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
