// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import io.github.gcsmrd.ObjectInfo;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses a {@code BidiReadObjectResponse} over the buffers it came in. Each parse is confined to
 * its caller.
 *
 * <p>It takes and refuses the same bytes as protobuf's own parser, but makes views of the payload
 * instead of copies. Fields with the wrong wire type are unknown fields, and unknown fields are
 * skipped; fields may come in any order and repeatedly.
 */
public final class ResponseParser {
  private static final int METADATA = WireFormat.tag(4, WireFormat.LENGTH_DELIMITED);
  private static final int RANGE_DATA = WireFormat.tag(6, WireFormat.LENGTH_DELIMITED);
  private static final int READ_HANDLE = WireFormat.tag(7, WireFormat.LENGTH_DELIMITED);
  private static final int HANDLE = WireFormat.tag(1, WireFormat.LENGTH_DELIMITED);

  private static final RangeData[] NO_RANGES = new RangeData[0];
  private static final byte[] NO_BYTES = new byte[0];

  private final FragmentCursor cursor;
  private final RangeDataParser rangeParser;

  private RangeData[] ranges = NO_RANGES;
  private int rangeCount;
  private @Nullable ObjectInfoParser metadata;
  private byte[] readHandle = NO_BYTES;

  private ResponseParser(FragmentCursor cursor) {
    this.cursor = cursor;
    this.rangeParser = new RangeDataParser(cursor);
  }

  /**
   * Parses a message. Never throws.
   *
   * @param fragments the message's bytes, between position and limit of each; the buffer objects
   *     become the parser's, and their positions and limits must not be moved any more
   * @param fragmentCount how many of them count
   * @param memory what the buffers belong to; the caller's reference goes to the result
   * @return a {@link ReceivedMessage}, which owns the reference, or a {@link MalformedResponse}, in
   *     which case it was released
   */
  public static Response parse(ByteBuffer[] fragments, int fragmentCount, MessageMemory memory) {
    try {
      return new ResponseParser(new FragmentCursor(fragments, fragmentCount)).message(memory);
    } catch (MalformedException e) {
      memory.release();
      return new MalformedResponse(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      // No input is known that leads here, but memory may be short or protobuf's classes too old:
      // the stream must fail with that reason, and the buffers must not be lost.
      memory.release();
      return new MalformedResponse("the parser failed: " + e);
    }
  }

  private ReceivedMessage message(MessageMemory memory) throws MalformedException {
    for (int tag = cursor.readTag(); tag != 0; tag = cursor.readTag()) {
      if (tag == RANGE_DATA) {
        add(rangeParser.parse());
      } else if (tag == METADATA) {
        mergeMetadata();
      } else if (tag == READ_HANDLE) {
        mergeReadHandle();
      } else {
        UnknownFields.skip(cursor, tag);
      }
    }
    Optional<ObjectInfo> info =
        metadata == null ? Optional.empty() : Optional.of(metadata.result());
    Optional<byte[]> handle = readHandle.length == 0 ? Optional.empty() : Optional.of(readHandle);
    return new ReceivedMessage(ranges, rangeCount, info, handle, memory);
  }

  private void add(RangeData range) {
    if (rangeCount == ranges.length) {
      ranges = Arrays.copyOf(ranges, Math.max(1, 2 * rangeCount));
    }
    ranges[rangeCount++] = range;
  }

  private void mergeMetadata() throws MalformedException {
    if (metadata == null) {
      metadata = new ObjectInfoParser();
    }
    metadata.merge(cursor);
  }

  private void mergeReadHandle() throws MalformedException {
    int outerEnd = cursor.enterMessage();
    for (int tag = cursor.readTag(); tag != 0; tag = cursor.readTag()) {
      if (tag == HANDLE) {
        readHandle = cursor.readBytes();
      } else {
        UnknownFields.skip(cursor, tag);
      }
    }
    cursor.leaveMessage(outerEnd);
  }
}
