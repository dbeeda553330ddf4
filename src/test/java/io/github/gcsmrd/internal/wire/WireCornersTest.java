// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The corners of the wire format, each decided as protobuf's own parser decides it. */
class WireCornersTest {

  @Test
  void fieldNumberZeroIsRefused() {
    refused(message().raw(0x00));
    refused(message().raw(0x02, 0x00));
    refused(message().raw(0x80, 0x80, 0x00));
  }

  @Test
  void wireTypesSixAndSevenAreRefused() {
    refused(message().raw(0x0E, 0x00));
    refused(message().raw(0x0F, 0x00));
  }

  @Test
  void tagsKeepTheirLowerThirtyTwoBits() {
    accepted(message().varint(0x32L | (1L << 32)).raw(0x00));
    accepted(message().varint(0x32L | (1L << 63)).raw(0x00));
    refused(message().varint(1L << 32).raw(0x00));
  }

  @Test
  void lengthsKeepTheirLowerThirtyTwoBits() {
    accepted(message().raw(0x32).varint(2L | (1L << 32)).raw(0x18, 0x01));
    refused(message().raw(0x32).varint(0xFFFF_FFFFL).raw(0x18, 0x01));
    refused(message().raw(0x32).varint(-1).raw(0x18, 0x01));
    refused(message().raw(0x2A).varint(Integer.MIN_VALUE).raw(0x18, 0x01));
  }

  @Test
  void lengthsBeyondTheirMessageAreRefused() {
    refused(message().raw(0x32).varint(Integer.MAX_VALUE));
    refused(message().raw(0x32, 0x03, 0x0A, 0x02, 0x0A, 0x00, 0x00, 0x00));
    refused(message().raw(0x32, 0x04, 0x0A, 0x02, 0x0A, 0x01, 0x2A, 0x00));
    refused(message().raw(0x3A).varint(Integer.MAX_VALUE).raw(0x0A).varint(Integer.MAX_VALUE));
    refused(message().raw(0x22).varint(Integer.MAX_VALUE).raw(0x0A));
  }

  @Test
  void varintsEndWithinTheirMessage() {
    refused(message().raw(0x32, 0x02, 0x18, 0x81, 0x01));
    refused(message().raw(0x32, 0x02, 0x18, 0x81).raw(new byte[20]));
    refused(message().raw(0x08, 0x80));
    refused(message().raw(0x80));
  }

  @Test
  void varintsHaveTenBytesAtMost() {
    byte[] ten = new byte[10];
    Arrays.fill(ten, (byte) 0xFF);
    ten[9] = 0x7F;
    accepted(message().raw(0x08).raw(ten));
    byte[] eleven = new byte[11];
    Arrays.fill(eleven, (byte) 0x80);
    eleven[10] = 0x00;
    refused(message().raw(0x08).raw(eleven));
    eleven[9] = (byte) 0x81;
    refused(message().raw(0x08).raw(eleven).raw(0x08, 0x01));
    refused(message().raw(eleven).raw(0x08, 0x01));
    refused(message().raw(0x2A).raw(eleven).raw(0x08, 0x01));
  }

  @Test
  void boolsAreTrueUnlessZero() {
    accepted(range(r -> r.varintField(3, 2)));
    accepted(range(r -> r.varintField(3, 1L << 32)));
    accepted(range(r -> r.varintField(3, Long.MIN_VALUE)));
    accepted(range(r -> r.varintField(3, 1).varintField(3, 0)));
  }

  @Test
  void groupsAreSkippedIfTheyEndAsTheyBegan() {
    accepted(message().groupField(6, new byte[] {0x08, 0x01}));
    accepted(message().groupField(9, message().groupField(9, new byte[0]).toByteArray()));
    refused(message().tag(9, WireFormat.START_GROUP).tag(10, WireFormat.END_GROUP));
    refused(message().tag(9, WireFormat.START_GROUP));
    refused(message().tag(9, WireFormat.START_GROUP).raw(0x08));
    refused(message().tag(9, WireFormat.START_GROUP).raw(0x00));
  }

  @Test
  void aGroupThatWasNotBegunCannotEnd() {
    refused(message().tag(6, WireFormat.END_GROUP));
    refused(range(r -> r.tag(6, WireFormat.END_GROUP)));
    refused(message().bytesField(4, message().tag(6, WireFormat.END_GROUP).toByteArray()));
    refused(message().raw(0x4B, 0x32, 0x01, 0x4C));
  }

  @Test
  void groupsNestAHundredDeepFromTheOutermostMessage() {
    accepted(message().raw(nestedGroups(100)));
    refused(message().raw(nestedGroups(101)));
    accepted(range(r -> r.raw(nestedGroups(99))));
    refused(range(r -> r.raw(nestedGroups(100))));
    accepted(range(r -> r.bytesField(1, nestedGroups(98))));
    refused(range(r -> r.bytesField(2, nestedGroups(99))));
    accepted(message().bytesField(7, nestedGroups(99)));
    refused(message().bytesField(7, nestedGroups(100)));
    accepted(message().bytesField(4, nestedGroups(99)));
    refused(message().bytesField(4, nestedGroups(100)));
    refused(message().raw(nestedGroups(100_000)));
  }

  @Test
  void theDepthIsThatOfWhereTheParserIs() {
    LooseWriter many = message();
    for (int i = 0; i < 200; i++) {
      many.bytesField(6, message().bytesField(1, new byte[0]).toByteArray());
      many.groupField(1, new byte[0]).bytesField(7, new byte[0]).bytesField(4, new byte[0]);
    }
    accepted(many);
  }

  @Test
  void embeddedMessagesThatComeAgainAreMerged() {
    byte[] crcOnly = message().fixed32Field(2, 77).toByteArray();
    byte[] contentOnly = message().bytesField(1, new byte[] {1, 2, 3}).toByteArray();
    byte[] emptied = message().bytesField(1, new byte[0]).toByteArray();
    accepted(range(r -> r.bytesField(1, crcOnly).bytesField(1, contentOnly)));
    accepted(range(r -> r.bytesField(1, contentOnly).bytesField(1, crcOnly)));
    accepted(range(r -> r.bytesField(1, contentOnly).bytesField(1, emptied)));
    byte[] id = message().varintField(3, 5).toByteArray();
    byte[] offset = message().varintField(1, 6).varintField(1, -7).toByteArray();
    accepted(range(r -> r.bytesField(2, id).bytesField(2, offset).bytesField(2, new byte[0])));
    byte[] handle = message().bytesField(1, new byte[] {4}).toByteArray();
    accepted(message().bytesField(7, handle).bytesField(7, new byte[0]));
    accepted(message().bytesField(7, handle).bytesField(7, emptied));
  }

  @Test
  void metadataThatComesAgainIsMergedButEachIsWhole() {
    byte[] name = message().bytesField(1, "name".getBytes()).toByteArray();
    byte[] generation = message().varintField(3, 9).toByteArray();
    accepted(message().bytesField(4, name).bytesField(4, generation));
    refused(
        message()
            .bytesField(4, Arrays.copyOf(name, 2))
            .bytesField(4, Arrays.copyOfRange(name, 2, name.length)));
  }

  @Test
  void stringsOfTheMetadataAreUtf8() {
    refused(message().bytesField(4, message().bytesField(1, new byte[] {-1}).toByteArray()));
    byte[] surrogate = {(byte) 0xED, (byte) 0xA0, (byte) 0x80};
    refused(message().bytesField(4, message().bytesField(2, surrogate).toByteArray()));
    accepted(message().bytesField(4, message().bytesField(1000, surrogate).toByteArray()));
  }

  @Test
  void knownFieldsOfAnotherTypeAreUnknown() {
    accepted(message().varintField(6, 1).fixed32Field(4, 2).fixed64Field(7, 3));
    accepted(range(r -> r.varintField(1, 1).varintField(2, 1).fixed32Field(3, 1)));
    accepted(range(r -> r.bytesField(1, message().varintField(2, 7).toByteArray())));
    accepted(range(r -> r.bytesField(2, message().fixed64Field(3, 7).toByteArray())));
  }

  private static LooseWriter message() {
    return LooseWriter.minimal();
  }

  private static LooseWriter range(UnaryOperator<LooseWriter> fields) {
    return message().bytesField(6, fields.apply(message()).toByteArray());
  }

  private static byte[] nestedGroups(int depth) {
    byte[] bytes = new byte[2 * depth];
    Arrays.fill(bytes, 0, depth, (byte) WireFormat.tag(9, WireFormat.START_GROUP));
    Arrays.fill(bytes, depth, bytes.length, (byte) WireFormat.tag(9, WireFormat.END_GROUP));
    return bytes;
  }

  private static void accepted(LooseWriter message) {
    check(true, message);
  }

  private static void refused(LooseWriter message) {
    check(false, message);
  }

  private static void check(boolean valid, LooseWriter message) {
    byte[] bytes = message.toByteArray();
    assertEquals(valid, ParserAgreement.check(bytes, Fragments.whole(bytes), "whole"));
    assertEquals(valid, ParserAgreement.check(bytes, Fragments.singleBytes(bytes), "single"));
  }
}
