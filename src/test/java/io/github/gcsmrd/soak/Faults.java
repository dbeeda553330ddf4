// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.soak;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What goes wrong on a server: streams that are scripted to be faulty, and mishaps out of the blue
 * to those that are open. All of it leaves each range a way on. A thread of its own.
 */
final class Faults extends Thread {
  private static final int MIB = 1 << 20;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  private final FakeGcs server;
  private final Random random;
  private volatile boolean over;

  Faults(FakeGcs server, long seed) {
    super("faults");
    this.server = server;
    this.random = new Random(seed);
    setDaemon(true);
  }

  /** A stream whose data are faulty beyond the first chunk of a range, and which ends soon. */
  static StreamScript faultyStream(Random random) {
    RangeScript.Builder ranges = RangeScript.builder();
    ChunkMatch later = ChunkMatch.index(1 + random.nextInt(4));
    switch (random.nextInt(7)) {
      case 0 -> ranges.chunk(later, ChunkFault.wrongCrc32c());
      case 1 -> ranges.chunk(later, ChunkFault.flippedBit());
      case 2 -> ranges.chunk(later, ChunkFault.offsetOffBy(1 + random.nextInt(9)));
      case 3 -> ranges.gap(MIB + random.nextInt(MIB), 1 + random.nextInt(999));
      case 4 -> ranges.endAfter(MIB + random.nextInt(3 * MIB));
      case 5 -> ranges.surplus(1 + random.nextInt(99));
      default -> ranges.overlap(MIB + random.nextInt(MIB), 1 + random.nextInt(999));
    }
    StreamScript.Builder stream =
        StreamScript.builder()
            .ranges(ranges.build())
            .chunkBytes(random.nextBoolean() ? 2 * MIB : 64 * 1024 + random.nextInt(MIB))
            .piecesPerResponse(1 + random.nextInt(3));
    if (random.nextInt(4) > 0) {
      stream.at(When.sent(1L + random.nextInt(20 * MIB)), mishap(random));
    }
    return stream.build();
  }

  private static StreamAction mishap(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> StreamAction.end(StatusCode.UNAVAILABLE);
      case 1 -> StreamAction.end(StatusCode.INTERNAL);
      case 2 -> StreamAction.redirect("token-" + random.nextInt(9));
      case 3 -> StreamAction.reset();
      case 4 -> StreamAction.goAway();
      default -> StreamAction.dropConnection();
    };
  }

  @Override
  public void run() {
    while (!over) {
      int streams = server.streams().size();
      if (streams > 0) {
        int ordinal = streams - random.nextInt(Math.min(streams, 100));
        server.perform(ordinal, mishap(random));
      }
      switch (random.nextInt(40)) {
        case 0 -> server.dropConnections();
        case 1 -> server.sendGoAway();
        default -> {}
      }
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  /** No further mishap happens once this returns. */
  void end() throws InterruptedException {
    over = true;
    LockSupport.unpark(this);
    join();
  }
}
