// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** One of the streams of a model's set, with a server of its own. Not thread-safe. */
final class SetModelStream {
  final FakeTransport transport;
  final Session session;
  final StreamPart part;
  final ModelServer server;
  final ModelEnds ends;
  private final List<ModelRange> ranges;
  private final Map<Long, ModelRange> byReadId = new HashMap<>();

  SetModelStream(
      TestObject object,
      Random random,
      FakeTransport transport,
      Session session,
      StreamPart part,
      boolean renewable,
      BooleanSupplier opened,
      List<ModelRange> ranges) {
    this.transport = transport;
    this.session = session;
    this.part = part;
    this.ranges = ranges;
    this.ends = new ModelEnds(object, random, transport, renewable, opened);
    this.server = new ModelServer(object, random, transport, this::byReadId, opened, ends);
    transport.inspector(this::inspect);
  }

  private ModelRange byReadId(long readId) {
    return Objects.requireNonNull(byReadId.get(readId), () -> "no range was asked as " + readId);
  }

  private void inspect(BidiReadObjectRequest request) {
    for (ReadRange range : request.getReadRangesList()) {
      ModelRange model = find(range.getReadId());
      byReadId.put(range.getReadId(), model);
      model.checkRequest(range);
    }
  }

  /** The one that is here: other streams count their ids from 1 too. */
  private ModelRange find(long readId) {
    ModelRange found = null;
    for (ModelRange range : ranges) {
      RangeRead read = range.read().read();
      if (read.readId() == readId && read.state() == RangeRead.State.ASKED && isOwnerOf(range)) {
        assertTrue(found == null, () -> "two ranges have the read id " + readId);
        found = range;
      }
    }
    return Objects.requireNonNull(found, () -> "no range here has the read id " + readId);
  }

  /** Whether a range is here, or ended here. */
  boolean isOwnerOf(ModelRange range) {
    return range.read().read().owner().filter(owner -> owner == session).isPresent();
  }

  /** Whether something was done to it that may end it for good. */
  boolean mayEnd(boolean patient) {
    return ends.fatal
        || ends.generationChanged
        || ends.redirects > 5
        || (!patient && transport.calls().size() >= 5);
  }

  boolean isIdle() {
    return transport.calls().isEmpty();
  }

  void step() {
    if (!isIdle()) {
      server.step();
    }
  }

  void beHonest() {
    if (!isIdle()) {
      server.beHonest();
    }
  }

  /** The transport takes messages, or none. */
  void ready(Random random) {
    if (!isIdle()) {
      FakeCall call = transport.call();
      if (call.isReady() && random.nextBoolean()) {
        call.makeBusy();
      } else {
        transport.loop().execute(call::becomeReady);
      }
    }
  }
}
