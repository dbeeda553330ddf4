// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a parse allocates: next to nothing, whatever the message says of itself. */
class ParserAllocationTest {
  private static final int ROUNDS = 2_000;
  private static final int FRAGMENT_BYTES = 16 << 10;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final MessageMemory memory = new MessageMemory(0, () -> {});

  @Test
  void aTwoMebibyteRangeTakesOneArrayAndAHandfulOfObjects() {
    ByteBuffer[] fragments = Fragments.even(range(2 << 20), FRAGMENT_BYTES, true);
    Response response = ResponseParser.parse(fragments, fragments.length, memory);
    ReceivedMessage message = assertInstanceOf(ReceivedMessage.class, response);
    assertEquals(fragments.length, message.range(0).content().bufferCount());
    long array = 8L * fragments.length;
    long perFragmentObjects = 40L * fragments.length;
    long allocated = perParse(fragments);
    assertTrue(allocated < array + 600, "allocated " + allocated);
    assertTrue(array + 600 < perFragmentObjects, "the bound would notice a view per fragment");
  }

  @Test
  void aLengthThatIsNotThereTakesNoMemory() {
    for (int field : new int[] {4, 6, 7}) {
      LooseWriter liar = LooseWriter.minimal().tag(field, WireFormat.LENGTH_DELIMITED);
      byte[] bytes = liar.varint(Integer.MAX_VALUE).raw(0x0A, 0x01).toByteArray();
      assertRefusedCheaply(Fragments.singleBytes(bytes));
    }
    byte[] data = LooseWriter.minimal().raw(0x0A).varint(1 << 30).toByteArray();
    byte[] range = LooseWriter.minimal().bytesField(1, data).toByteArray();
    byte[] message = LooseWriter.minimal().bytesField(6, range).toByteArray();
    assertRefusedCheaply(Fragments.whole(message));
  }

  private void assertRefusedCheaply(ByteBuffer[] fragments) {
    memory.retain();
    Response response = ResponseParser.parse(fragments, fragments.length, memory);
    assertInstanceOf(MalformedResponse.class, response);
    for (int i = 0; i < ROUNDS; i++) {
      memory.retain();
    }
    long allocated = perParse(fragments);
    assertTrue(allocated < 2_000, "allocated " + allocated);
  }

  private long perParse(ByteBuffer[] fragments) {
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < ROUNDS; i++) {
      ResponseParser.parse(fragments, fragments.length, memory);
    }
    return (threads.getThreadAllocatedBytes(thread) - before) / ROUNDS;
  }

  private static byte[] range(int payload) {
    byte[] data =
        LooseWriter.minimal().bytesField(1, new byte[payload]).fixed32Field(2, 1).toByteArray();
    byte[] asked = LooseWriter.minimal().varintField(1, 1L << 40).varintField(3, 7).toByteArray();
    byte[] range = LooseWriter.minimal().bytesField(1, data).bytesField(2, asked).toByteArray();
    return LooseWriter.minimal().bytesField(6, range).toByteArray();
  }
}
