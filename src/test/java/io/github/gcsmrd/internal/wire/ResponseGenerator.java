// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.storage.v2.ObjectChecksums;
import java.util.Random;

/**
 * Makes random valid encodings of {@code BidiReadObjectResponse}: fields in any order, again and
 * again, unknown ones and known ones of the wrong type between them. Confined to one test.
 */
final class ResponseGenerator {
  private final Random random;

  ResponseGenerator(Random random) {
    this.random = random;
  }

  byte[] response() {
    LooseWriter out = LooseWriter.random(random);
    for (int fields = random.nextInt(7); fields > 0; fields--) {
      switch (random.nextInt(8)) {
        case 0 -> out.bytesField(4, metadata());
        case 1 -> out.bytesField(7, handle());
        case 2 -> strangeField(out, 8, 0);
        default -> out.bytesField(6, rangeData());
      }
    }
    return out.toByteArray();
  }

  private byte[] rangeData() {
    LooseWriter out = LooseWriter.random(random);
    for (int fields = random.nextInt(6); fields > 0; fields--) {
      switch (random.nextInt(7)) {
        case 0, 1, 2 -> out.bytesField(1, checksummedData());
        case 3, 4 -> out.bytesField(2, readRange());
        case 5 -> out.varintField(3, random.nextBoolean() ? random.nextInt(2) : number());
        default -> strangeField(out, 4, 0);
      }
    }
    return out.toByteArray();
  }

  private byte[] checksummedData() {
    LooseWriter out = LooseWriter.random(random);
    for (int fields = random.nextInt(4); fields > 0; fields--) {
      switch (random.nextInt(5)) {
        case 0, 1 -> out.bytesField(1, bytes(200));
        case 2, 3 -> out.fixed32Field(2, (int) number());
        default -> strangeField(out, 3, 0);
      }
    }
    return out.toByteArray();
  }

  private byte[] readRange() {
    LooseWriter out = LooseWriter.random(random);
    for (int fields = random.nextInt(5); fields > 0; fields--) {
      if (random.nextInt(5) == 0) {
        strangeField(out, 4, 0);
      } else {
        out.varintField(1 + random.nextInt(3), number());
      }
    }
    return out.toByteArray();
  }

  private byte[] handle() {
    LooseWriter out = LooseWriter.random(random);
    for (int fields = random.nextInt(3); fields > 0; fields--) {
      if (random.nextInt(4) == 0) {
        strangeField(out, 2, 0);
      } else {
        out.bytesField(1, bytes(40));
      }
    }
    return out.toByteArray();
  }

  private byte[] metadata() {
    com.google.storage.v2.Object.Builder object = com.google.storage.v2.Object.newBuilder();
    if (random.nextBoolean()) {
      object.setBucket("projects/_/buckets/bücket").setName("ob/jéct").setEtag("etag");
    }
    if (random.nextBoolean()) {
      object.setGeneration(number()).setMetageneration(number()).setSize(number());
    }
    if (random.nextBoolean()) {
      object.putMetadata("key", "välue").setContentEncoding("gzip");
    }
    if (random.nextBoolean()) {
      object.setChecksums(ObjectChecksums.newBuilder().setCrc32C(random.nextInt()));
    }
    if (random.nextBoolean()) {
      object.setFinalizeTime(Timestamp.newBuilder().setSeconds(number()).setNanos(7));
    }
    if (random.nextBoolean()) {
      object.setChecksums(
          object.getChecksums().toBuilder().setMd5Hash(ByteString.copyFrom(bytes(16))));
    }
    LooseWriter out = LooseWriter.random(random).raw(object.build().toByteArray());
    if (random.nextBoolean()) {
      strangeField(out, 100, 0);
    }
    return out.toByteArray();
  }

  /** A field that is unknown by its number, or a known number with a type that can't be its own. */
  private void strangeField(LooseWriter out, int firstUnknown, int depth) {
    int known = 1 + random.nextInt(firstUnknown);
    int unknown = firstUnknown + random.nextInt(random.nextBoolean() ? 20 : 500_000_000);
    switch (random.nextInt(depth < 5 ? 6 : 5)) {
      case 0 -> out.varintField(unknown, number());
      case 1 -> out.fixed64Field(random.nextBoolean() ? known : unknown, random.nextLong());
      case 2 -> out.bytesField(unknown, bytes(30));
      case 3 -> out.fixed32Field(unknown, random.nextInt());
      case 4 -> out.groupField(random.nextBoolean() ? known : unknown, new byte[0]);
      default -> {
        LooseWriter inner = LooseWriter.random(random);
        for (int fields = random.nextInt(4); fields > 0; fields--) {
          strangeField(inner, 1, depth + 1);
        }
        out.groupField(unknown, inner.toByteArray());
      }
    }
  }

  private byte[] bytes(int most) {
    byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Of any size, with 0 and the ends among them. */
  private long number() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
      case 2 -> -random.nextInt(1000);
      default -> random.nextLong() >>> random.nextInt(64);
    };
  }
}
