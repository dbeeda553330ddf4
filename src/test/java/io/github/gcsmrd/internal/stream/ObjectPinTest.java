// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.internal.read.WholeObject;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ObjectPinTest {
  private static ObjectInfo answer(OptionalLong generation, boolean isFinal) {
    return new ObjectInfo(
        "projects/_/buckets/bucket",
        "object",
        generation,
        OptionalLong.of(2),
        OptionalLong.of(100),
        "",
        OptionalInt.of(7),
        isFinal ? Optional.of(Instant.EPOCH) : Optional.empty(),
        "etag");
  }

  @Test
  void theFirstGenerationIsPinnedAndAnotherRefused() {
    ObjectPin pin = new ObjectPin(SessionFixture.config(), Optional.empty());
    assertEquals(0, pin.spec().generation());
    assertFalse(pin.hasInfo());
    assertTrue(pin.accept(answer(OptionalLong.of(5), true)));
    assertEquals(5, pin.spec().generation());
    assertEquals(new WholeObject(100, OptionalInt.of(7)), pin.whole());
    assertFalse(pin.accept(answer(OptionalLong.of(6), false)));
    assertEquals(OptionalLong.of(5), pin.info().generation());
    assertEquals(new WholeObject(100, OptionalInt.of(7)), pin.whole(), "nothing was taken");
    assertTrue(pin.accept(answer(OptionalLong.empty(), true)));
    assertEquals("bucket", pin.info().bucket());
  }

  @Test
  void anObjectThatCanGrowHasNoKnownEnd() {
    ObjectPin pin = new ObjectPin(SessionFixture.config(), Optional.empty());
    pin.accept(answer(OptionalLong.of(5), false));
    assertSame(WholeObject.UNKNOWN, pin.whole());
    assertEquals(OptionalLong.of(100), pin.info().sizeBytes());
  }

  @Test
  void withoutMetadataOnlyTheNamesAreKnown() {
    ObjectPin pin = new ObjectPin(SessionFixture.handleConfig(9, (byte) 1), Optional.empty());
    assertEquals(OptionalLong.of(9), pin.info().generation());
    assertEquals(OptionalLong.empty(), pin.info().sizeBytes());
    assertEquals("object", pin.info().object());
  }

  @Test
  void aRedirectBringsWhatItBrings() {
    ObjectPin pin = new ObjectPin(SessionFixture.handleConfig(9, (byte) 1), Optional.empty());
    pin.redirected(new StreamEnd.Redirect(Optional.of("t"), Optional.empty()));
    assertEquals(Optional.of("t"), pin.spec().routingToken());
    assertArrayEquals(new byte[] {1}, pin.spec().readHandle().orElseThrow());
    pin.redirected(new StreamEnd.Redirect(Optional.empty(), Optional.of(new byte[] {2})));
    assertEquals(Optional.of("t"), pin.spec().routingToken());
    assertArrayEquals(new byte[] {2}, pin.spec().readHandle().orElseThrow());
  }

  @Test
  void anEmptyHandleOfARedirectIsNone() {
    ObjectPin pin = new ObjectPin(SessionFixture.handleConfig(9, (byte) 1), Optional.empty());
    pin.redirected(new StreamEnd.Redirect(Optional.of("t"), Optional.of(new byte[0])));
    assertArrayEquals(new byte[] {1}, pin.spec().readHandle().orElseThrow());
    assertEquals(Optional.of("t"), pin.spec().routingToken());
  }

  @Test
  void aHandleIsDroppedOnce() {
    ObjectPin pin = new ObjectPin(SessionFixture.handleConfig(9, (byte) 1), Optional.empty());
    assertTrue(pin.dropHandle());
    assertTrue(pin.spec().readHandle().isEmpty());
    assertFalse(pin.dropHandle());
    pin.handle(new byte[] {3});
    assertFalse(pin.dropHandle());
    assertFalse(new ObjectPin(SessionFixture.config(), Optional.empty()).dropHandle());
  }

  @Test
  void bytesOfAnUnknownGenerationForbidAnyOther() {
    ObjectPin pin = new ObjectPin(SessionFixture.handleConfig(0, (byte) 1), Optional.empty());
    pin.delivered();
    pin.streamEnded();
    assertFalse(pin.dropHandle());
    assertFalse(pin.accept(answer(OptionalLong.of(5), true)));
    ObjectPin sameStream =
        new ObjectPin(SessionFixture.handleConfig(0, (byte) 1), Optional.empty());
    sameStream.delivered();
    assertTrue(
        sameStream.accept(answer(OptionalLong.of(5), true)), "it is the stream that read them");
  }
}
