// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.leaks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LeakDetectionTest {
  @Test
  void theDetectorIsAtItsHighestLevel() {
    assertEquals(ResourceLeakDetector.Level.PARANOID, ResourceLeakDetector.getLevel());
  }

  @Test
  void aBufferLeakedOnPurposeIsCaught() throws Exception {
    List<String> reports = LeakLog.reportsOf(LeakDetectionTest::leak);
    assertEquals(1, reports.size(), reports::toString);
    assertTrue(reports.get(0).contains("ByteBuf.release() was not called"), reports::toString);
  }

  @Test
  void aReleasedBufferIsNoLeak() throws Exception {
    PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
    LeakLog.collect();
    assertEquals(List.of(), LeakLog.take());
  }

  /** Nothing refers to the buffer once this returns. */
  private static void leak() {
    ByteBuf leaked = PooledByteBufAllocator.DEFAULT.directBuffer(16);
    leaked.writeByte(1);
  }
}
