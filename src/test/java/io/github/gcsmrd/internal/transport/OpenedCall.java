// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.wire.OpenSpec;
import io.github.gcsmrd.internal.wire.RequestEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A call with the listener it was opened with; one message is asked for. Confined to the test's
 * thread.
 */
record OpenedCall(TransportFixture fixture, RecordingListener listener, StreamCall call) {

  static OpenedCall on(TransportFixture fixture) {
    return on(fixture, 1).get(0);
  }

  /** A call that is on its way. */
  static OpenedCall ready(TransportFixture fixture) {
    OpenedCall opened = on(fixture);
    opened.listener.awaitReady();
    return opened;
  }

  static List<OpenedCall> on(TransportFixture fixture, int count) {
    return on(fixture, count, call -> {});
  }

  /** Opens in one task of the loop: all are there before the connection is. */
  static List<OpenedCall> on(TransportFixture fixture, int count, Consumer<StreamCall> then) {
    return TransportFixture.onLoop(
        fixture.loop(),
        () -> {
          List<OpenedCall> opened = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            RecordingListener listener = fixture.listener();
            StreamCall call =
                fixture.transport.transport(0).open(TransportFixture.REQUEST, listener);
            call.request(1);
            then.accept(call);
            opened.add(new OpenedCall(fixture, listener, call));
          }
          return opened;
        });
  }

  static void awaitReady(List<OpenedCall> calls) {
    for (OpenedCall opened : calls) {
      opened.listener.awaitReady();
    }
  }

  /** The request for ten bytes, with the spec if it is the first one. */
  static byte[] request(long readId) {
    Optional<OpenSpec> first =
        readId == 1 ? Optional.of(OpenSpec.of("a-bucket", "o")) : Optional.empty();
    return RequestEncoder.encode(first, new long[] {0, 10, readId}, 1);
  }

  /** Reads once; what the server sent before its answer has come too then. */
  void read(long readId) {
    fixture.run(
        listener,
        () -> {
          call.send(request(readId));
          call.request(1);
        });
    listener.awaitResponse().close();
  }

  void cancel() {
    fixture.run(listener, () -> call.cancel("make room"));
    listener.awaitEnd();
  }
}
