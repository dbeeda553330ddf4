// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.AllocatedDestination;
import io.github.gcsmrd.internal.read.AsyncSinkDestination;
import io.github.gcsmrd.internal.read.BufferDestination;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.ExecutorSinkDestination;
import io.github.gcsmrd.internal.read.LoopSinkDestination;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.stream.ObjectSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How a session reads what it is asked for: where the bytes go, and in how many parts they come.
 * Immutable and thread-safe.
 *
 * @param session reads
 * @param blocking runs sinks and allocators
 * @param credit what sinks may hold
 * @param streams how many streams the session has at most
 * @param object what is known of the object, once bytes of it came
 */
record ReadPlan(
    ObjectSession session,
    Executor blocking,
    CreditPool credit,
    int streams,
    Supplier<Optional<ObjectInfo>> object) {

  /** The reads of a range that was asked for, which end its future: one, or its parts. */
  List<RangeRead> reads(RangeRequest request, RangeFuture future, boolean checking) {
    int parts = SplitRange.parts(request.range(), streams);
    List<RangeRead> reads;
    if (parts > 1 && request.target() instanceof RangeRequest.BufferTarget buffer) {
      ByteRange.Bounded range = (ByteRange.Bounded) request.range();
      reads = new SplitRange(range, parts, buffer.slice(), future, checking, object).reads();
    } else {
      reads = List.of(new RangeRead(request.range(), destinationOf(request), future, checking));
    }
    future.readBy(reads);
    return reads;
  }

  private Destination destinationOf(RangeRequest request) {
    RangeRequest.Target target = request.target();
    if (target instanceof RangeRequest.BufferTarget buffer) {
      return new BufferDestination(buffer.slice().duplicate());
    }
    if (target instanceof RangeRequest.AllocatorTarget allocator) {
      return new AllocatedDestination(allocator.allocator(), allocator.release());
    }
    if (target instanceof RangeRequest.AsyncSinkTarget async) {
      return new AsyncSinkDestination(async.sink(), queue(request.range()));
    }
    RangeRequest.SinkTarget sink = (RangeRequest.SinkTarget) target;
    return sink.onEventLoop()
        ? new LoopSinkDestination(sink.sink())
        : new ExecutorSinkDestination(sink.sink(), queue(request.range()));
  }

  /** How user code is called that takes its time with a range. */
  QueueSettings queue(ByteRange range) {
    return new QueueSettings(
        blocking, session.loop()::execute, credit, RangeRequest.limitOf(range));
  }
}
