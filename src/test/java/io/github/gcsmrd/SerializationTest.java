// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures cross processes, as those of a Spark or Beam worker do, and keep their facts. */
class SerializationTest {
  private static final FailureContext CONTEXT =
      new FailureContext(
          "bucket",
          "a/b",
          OptionalLong.of(7),
          Optional.of(ByteRange.of(5, 9)),
          3,
          2,
          Duration.ofMillis(1_260),
          StatusCode.UNAVAILABLE,
          List.of("quota: x"));

  private static final FailureContext LITTLE =
      new FailureContext(
          "bucket",
          "object",
          OptionalLong.empty(),
          Optional.empty(),
          0,
          1,
          Duration.ZERO,
          StatusCode.NOT_FOUND,
          List.of());

  static Stream<GcsException> failures() {
    Throwable cause = new IOException("below");
    return Stream.of(
        new AccessDeniedException("what", CONTEXT, cause),
        new DataCorruptionException("what", CONTEXT, 5, 1, 2, null),
        new DestinationTooSmallException("what", CONTEXT, cause),
        download(),
        new GenerationChangedException("what", LITTLE, cause),
        new IncompleteRangeException("what", CONTEXT, null),
        new ObjectNotFoundException("what", LITTLE, cause),
        new PreconditionFailedException("what", LITTLE, null),
        new RangeException("what", CONTEXT, cause),
        new RangeNotSatisfiableException("what", CONTEXT, null),
        new RangeTimeoutException("what", CONTEXT, null),
        new SessionClosedException("what", LITTLE, null),
        new SessionException("what", LITTLE, cause));
  }

  private static DownloadException download() {
    RangeException failed = new RangeException("what", CONTEXT, null);
    RangeResult read =
        new RangeResult(ByteRange.last(4), 6, 4, true, Optional.of(ByteBuffer.allocateDirect(4)));
    return new DownloadException(
        "what",
        CONTEXT,
        List.of(
            new RangeOutcome.Succeeded(read), new RangeOutcome.Failed(ByteRange.of(5, 9), failed)),
        failed);
  }

  private static <T> T copy(T original) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(original);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      @SuppressWarnings("unchecked") // It is what was written.
      T copy = (T) in.readObject();
      return copy;
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  void everyFailureKeepsItsFacts(GcsException failure) throws Exception {
    GcsException copy = copy(failure);
    assertSame(failure.getClass(), copy.getClass());
    assertEquals(failure.getMessage(), copy.getMessage());
    assertEquals(failure.context(), copy.context());
    assertEquals(failure.status(), copy.status());
    assertEquals(String.valueOf(failure.getCause()), String.valueOf(copy.getCause()));
  }

  @Test
  void everyTypeOfFailureIsInTheList() {
    assertEquals(13, failures().map(Object::getClass).distinct().count());
  }

  @Test
  void aCorruptionKeepsItsNumbers() throws Exception {
    DataCorruptionException copy =
        copy(new DataCorruptionException("what", CONTEXT, 5, 1, 2, null));
    assertEquals(
        List.of(5L, 1, 2), List.of(copy.offset(), copy.expectedCrc32c(), copy.actualCrc32c()));
  }

  @Test
  void aDownloadKeepsItsOutcomesWithoutTheBytes() throws Exception {
    List<RangeOutcome> outcomes = copy(download()).outcomes();
    assertEquals(2, outcomes.size());
    RangeResult read = assertInstanceOf(RangeOutcome.Succeeded.class, outcomes.get(0)).result();
    assertEquals(new RangeResult(ByteRange.last(4), 6, 4, true, Optional.empty()), read);
    RangeOutcome.Failed failed = assertInstanceOf(RangeOutcome.Failed.class, outcomes.get(1));
    assertEquals(ByteRange.of(5, 9), failed.range());
    assertEquals(CONTEXT, assertInstanceOf(RangeException.class, failed.failure()).context());
  }

  @Test
  void rangesOfEachKindAreTheSameAfterwards() throws Exception {
    for (ByteRange range :
        List.of(ByteRange.of(1, 2), ByteRange.from(3), ByteRange.last(4), ByteRange.all())) {
      assertEquals(range, copy(range));
    }
  }
}
