// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.DownloadException;
import io.github.gcsmrd.IncompleteRangeException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Allocators that throw, and what becomes of buffers whose ranges fail. */
@Timeout(60)
class AllocatorFailuresTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  private final Queue<ByteBuffer> released = new ConcurrentLinkedQueue<>();

  private RangeRequest allocate(ByteRange range) {
    return RangeRequest.allocate(range, ByteBuffer::allocate, released::add);
  }

  @Test
  void b13_aThrowingAllocatorFailsItsRangeAloneAndWithItsOwnException() {
    ObjectContent content = gcs.put(1_000);
    OutOfMemoryError full = new OutOfMemoryError("of the user's own arena");
    RangeRequest refused =
        RangeRequest.allocate(
            ByteRange.of(100, 50),
            length -> {
              throw full;
            },
            released::add);
    Download download =
        gcs.opened()
            .downloadRanges(
                List.of(allocate(ByteRange.of(0, 50)), refused, allocate(ByteRange.of(200, 50))));
    assertSame(full, failure(OutOfMemoryError.class, download.range(1)));
    assertRange(content, 0, 50, get(download.range(0)).buffer().orElseThrow());
    assertRange(content, 200, 50, get(download.range(2)).buffer().orElseThrow());
    assertSame(full, failure(DownloadException.class, download).getCause());
    get(download.quiesced());
    assertEquals(0, released.size());
  }

  @Test
  void b13_theBufferOfARangeThatFailsLaterIsReleasedOnce() {
    gcs.put(1_000);
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().endAfter(0).build());
    Download download = gcs.opened().downloadRanges(List.of(allocate(ByteRange.of(0, 50))));
    failure(IncompleteRangeException.class, download.range(0));
    get(download.quiesced());
    assertEquals(1, released.size());
    assertEquals(50, released.remove().capacity());
  }

  /** A short object is no failure: the length tells, and what is missing is not made up. */
  @Test
  void b13_aShortObjectIsToldByTheLength() {
    ObjectContent content = gcs.put(1_000);
    Download download = gcs.opened().downloadRanges(List.of(allocate(ByteRange.of(990, 50))));
    RangeResult result = get(download).get(0);
    assertEquals(10, result.length());
    assertRange(content, 990, 10, result.buffer().orElseThrow());
    assertEquals(0, released.size());
  }
}
