// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.DestinationTooSmallException;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Allocators and sinks that break their contract, and ranges that no buffer can hold. */
@Timeout(60)
class UserCodeFaultsTest {
  private final List<ByteBuffer> released = Collections.synchronizedList(new ArrayList<>());
  private FakeGcs server;
  private GcsClient client;
  private MultiRangeDownloader mrd;

  @BeforeEach
  void start() throws IOException {
    server = FakeGcs.start();
    server.put("bucket", "object", ObjectContent.generated(1, 1_000));
    server.put("bucket", "large", ObjectContent.generated(1, 64L << 30));
    client = GcsClient.builder().endpoint(server.endpoint()).build();
    mrd = client.createMrd("bucket", "object");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private <T extends Throwable> T failureOf(Class<T> type, RangeRequest request) throws Exception {
    return failureOf(type, mrd, request);
  }

  /** The failure, when nothing is touched any more. */
  private static <T extends Throwable> T failureOf(
      Class<T> type, MultiRangeDownloader mrd, RangeRequest request) throws Exception {
    Download download = mrd.downloadRanges(List.of(request));
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> download.range(0).get(20, TimeUnit.SECONDS));
    download.quiesced().get(20, TimeUnit.SECONDS);
    return assertInstanceOf(type, failure.getCause());
  }

  private RangeException allocating(IntFunction<ByteBuffer> allocator) throws Exception {
    return failureOf(
        RangeException.class,
        RangeRequest.allocate(ByteRange.of(0, 100), allocator, released::add));
  }

  @Test
  void anAllocatorThatGivesNothing() throws Exception {
    RangeException failure = allocating(length -> null);
    assertTrue(
        failure.getMessage().startsWith("the allocator returned null, not a buffer of 100 bytes"),
        failure.getMessage());
    assertEquals(StatusCode.INVALID_ARGUMENT, failure.status());
    assertEquals(ByteRange.of(0, 100), failure.context().range().orElseThrow());
    assertEquals(List.of(), released);
  }

  @Test
  void anAllocatorThatGivesTooLittle() throws Exception {
    ByteBuffer small = ByteBuffer.allocate(99);
    RangeException failure = allocating(length -> small);
    assertTrue(
        failure
            .getMessage()
            .startsWith("the allocator returned a buffer with 99 bytes remaining, not 100"),
        failure.getMessage());
    assertEquals(1, released.size());
    assertSame(small, released.get(0));
  }

  @Test
  void anAllocatorThatGivesWhatCannotBeWritten() throws Exception {
    ByteBuffer readOnly = ByteBuffer.allocate(100).asReadOnlyBuffer();
    RangeException failure = allocating(length -> readOnly);
    assertTrue(
        failure.getMessage().startsWith("the allocator returned a read-only buffer"),
        failure.getMessage());
    assertSame(readOnly, released.get(0));
  }

  @Test
  void aRangeThatNoBufferCanHold() throws Exception {
    MultiRangeDownloader large = client.createMrd("bucket", "large");
    DestinationTooSmallException failure =
        failureOf(
            DestinationTooSmallException.class,
            large,
            RangeRequest.allocate(ByteRange.all(), ByteBuffer::allocate, released::add));
    assertTrue(
        failure
            .getMessage()
            .startsWith("the range has 68719476736 bytes, more than a buffer can have"),
        failure.getMessage());
    assertTrue(failure.getMessage().contains("a sink"), failure.getMessage());
  }

  @Test
  void aSinkThatReturnsNoStage() throws Exception {
    RangeException failure =
        failureOf(RangeException.class, RangeRequest.toAsync(chunk -> null, ByteRange.all()));
    assertTrue(
        failure.getMessage().startsWith("the sink returned null, not a stage"),
        failure.getMessage());
    assertEquals(StatusCode.INVALID_ARGUMENT, failure.status());
  }

  @Test
  void whatUserCodeThrowsStaysItsOwn() throws Exception {
    IllegalStateException mine = new IllegalStateException("mine");
    assertSame(
        mine,
        failureOf(
            IllegalStateException.class,
            RangeRequest.allocate(
                ByteRange.of(0, 100),
                length -> {
                  throw mine;
                },
                released::add)));
  }
}
