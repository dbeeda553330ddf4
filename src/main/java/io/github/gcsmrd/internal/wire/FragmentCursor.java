// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.nio.ByteBuffer;

/**
 * Reads protobuf's wire format over a message that lies in several buffers, any of which may be
 * empty. Confined to one parse.
 *
 * <p>Invariants: {@code at} is an index of {@code fragment} and never beyond {@code limit}; no read
 * goes beyond {@code end}, which is where the message that is being read ends, itself never beyond
 * what the message around it holds. The buffers' positions and limits stay as they are. A length is
 * checked against what is left before anything is done with it.
 */
final class FragmentCursor {
  /** As many embedded messages and groups as protobuf's own parser follows into each other. */
  static final int MAX_DEPTH = 100;

  private static final int MAX_VARINT_BYTES = 10;
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

  private final ByteBuffer[] fragments;
  private final int fragmentCount;

  private ByteBuffer fragment = NO_BYTES;
  private int next;
  private int at;
  private int limit;

  /** The position in the message of the current fragment's index 0; may be negative. */
  private int origin;

  private int end;
  private int depth;

  FragmentCursor(ByteBuffer[] fragments, int fragmentCount) throws MalformedException {
    this.fragments = fragments;
    this.fragmentCount = fragmentCount;
    long total = 0;
    for (int i = 0; i < fragmentCount; i++) {
      total += fragments[i].remaining();
    }
    if (total > Integer.MAX_VALUE) {
      throw new MalformedException("message of " + total + " bytes", 0);
    }
    end = (int) total;
  }

  /** How many bytes of the whole message were read. */
  int position() {
    return origin + at;
  }

  /** How many embedded messages lie around the next byte. */
  int depth() {
    return depth;
  }

  MalformedException malformed(String problem) {
    return new MalformedException(problem, position());
  }

  /** Reads the next tag; 0 says that the message ends here. */
  int readTag() throws MalformedException {
    if (position() == end) {
      return 0;
    }
    int tag = (int) readVarint();
    if (WireFormat.fieldNumber(tag) == 0) {
      throw malformed("field number 0");
    }
    return tag;
  }

  /** Reads a varint of at most 10 bytes; what is beyond 64 bits is dropped, as protobuf does. */
  long readVarint() throws MalformedException {
    long value = limit - at >= MAX_VARINT_BYTES ? varintInFragment() : varintAcrossFragments();
    if (position() > end) {
      throw malformed("truncated varint");
    }
    return value;
  }

  private long varintInFragment() throws MalformedException {
    byte read = fragment.get(at++);
    long value = read & 0x7F;
    for (int shift = 7; read < 0; shift += 7) {
      if (shift >= 7 * MAX_VARINT_BYTES) {
        throw malformed("varint over 10 bytes");
      }
      read = fragment.get(at++);
      value |= (read & 0x7FL) << shift;
    }
    return value;
  }

  private long varintAcrossFragments() throws MalformedException {
    long value = 0;
    for (int shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      byte read = readByte();
      value |= (read & 0x7FL) << shift;
      if (read >= 0) {
        return value;
      }
    }
    throw malformed("varint over 10 bytes");
  }

  /** Reads four bytes, least significant first. */
  int readFixed32() throws MalformedException {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      value |= (readByte() & 0xFF) << shift;
    }
    return value;
  }

  private byte readByte() throws MalformedException {
    if (position() >= end) {
      throw malformed("truncated field");
    }
    enterNonEmptyFragment();
    return fragment.get(at++);
  }

  /** Reads the length of a field; so many bytes are there. */
  int readLength() throws MalformedException {
    int length = (int) readVarint();
    requireLeft(length);
    return length;
  }

  private void requireLeft(int length) throws MalformedException {
    int left = end - position();
    if (length < 0 || length > left) {
      throw malformed("length " + length + " where " + left + " bytes are left");
    }
  }

  /**
   * Reads the length of an embedded message and goes into it.
   *
   * @return what {@link #leaveMessage} needs
   */
  int enterMessage() throws MalformedException {
    int length = readLength();
    descend();
    int outerEnd = end;
    end = position() + length;
    return outerEnd;
  }

  /** Goes back to the message around, after {@link #readTag} told the end of the embedded one. */
  void leaveMessage(int outerEnd) {
    assert position() == end : "left before its end";
    end = outerEnd;
    ascend();
  }

  /** Goes one level deeper: into an embedded message or a group. */
  void descend() throws MalformedException {
    if (depth == MAX_DEPTH) {
      throw malformed("nested deeper than " + MAX_DEPTH);
    }
    depth++;
  }

  /** Goes back from where {@link #descend} went. */
  void ascend() {
    depth--;
  }

  /** Copies a field's bytes. */
  byte[] readBytes() throws MalformedException {
    byte[] bytes = new byte[readLength()];
    int done = 0;
    while (done < bytes.length) {
      enterNonEmptyFragment();
      int step = Math.min(bytes.length - done, limit - at);
      fragment.get(at, bytes, done, step);
      at += step;
      done += step;
    }
    return bytes;
  }

  /** Makes views of a field's bytes. */
  Content readContent() throws MalformedException {
    int length = readLength();
    if (length == 0) {
      return Content.empty();
    }
    enterNonEmptyFragment();
    ByteBuffer[] views = new ByteBuffer[spannedFragments(length)];
    int left = length;
    for (int i = 0; left > 0; ) {
      enterNonEmptyFragment();
      int step = Math.min(left, limit - at);
      views[i++] = view(step);
      at += step;
      left -= step;
    }
    return new Content(views, length);
  }

  /** The current fragment itself if all of it is meant, so that as few objects as can be arise. */
  private ByteBuffer view(int length) {
    boolean whole = length == fragment.remaining();
    return whole ? fragment : fragment.slice(at, length);
  }

  /** Counts the non-empty fragments that hold the next bytes, at least one. */
  private int spannedFragments(int length) {
    int spanned = 1;
    int left = length - (limit - at);
    for (int i = next; left > 0; i++) {
      int held = fragments[i].remaining();
      left -= held;
      spanned += held == 0 ? 0 : 1;
    }
    return spanned;
  }

  /** Skips bytes of a field. */
  void skip(int length) throws MalformedException {
    requireLeft(length);
    int left = length;
    while (left > limit - at) {
      left -= limit - at;
      enterNextFragment();
    }
    at += left;
  }

  /** Goes to the fragment of the next byte, which must be there. */
  private void enterNonEmptyFragment() {
    while (at == limit) {
      enterNextFragment();
    }
  }

  private void enterNextFragment() {
    assert next < fragmentCount : "read beyond the message";
    int begin = origin + limit;
    fragment = fragments[next++];
    at = fragment.position();
    limit = fragment.limit();
    origin = begin - at;
  }
}
