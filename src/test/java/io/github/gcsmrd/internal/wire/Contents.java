// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.nio.ByteBuffer;
import java.util.Random;

/** Makes contents from bytes, by way of the parser. */
public final class Contents {
  private Contents() {}

  /** A content that lies in buffers which chance cuts. */
  public static Content random(byte[] payload, Random random) {
    byte[] message = message(payload);
    return parse(Fragments.random(message, random));
  }

  /** A content that lies in buffers of one size. */
  public static Content even(byte[] payload, int size, boolean direct) {
    return parse(Fragments.even(message(payload), size, direct));
  }

  private static byte[] message(byte[] payload) {
    byte[] data = LooseWriter.minimal().bytesField(1, payload).toByteArray();
    byte[] range = LooseWriter.minimal().bytesField(1, data).toByteArray();
    return LooseWriter.minimal().bytesField(6, range).toByteArray();
  }

  private static Content parse(ByteBuffer[] fragments) {
    MessageMemory memory = new MessageMemory(0, () -> {});
    Response response = ResponseParser.parse(fragments, fragments.length, memory);
    return ((ReceivedMessage) response).range(0).content();
  }
}
