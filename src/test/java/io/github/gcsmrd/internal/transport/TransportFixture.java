// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamTransport;
import io.github.gcsmrd.internal.stream.StreamTransport.OpenRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A client's transport to a server on loopback; its close checks that nothing is left. */
final class TransportFixture implements AutoCloseable {
  static final OpenRequest REQUEST =
      new OpenRequest("a-bucket", Optional.empty(), "token-1", 1, Map.of());

  final ClientTransport transport;
  final ExecutorService blocking =
      Executors.newCachedThreadPool(
          body -> {
            Thread thread = new Thread(body, "test-blocking");
            thread.setDaemon(true);
            return thread;
          });
  private final List<RecordingListener> listeners = new ArrayList<>();

  TransportFixture(int port) {
    this(port, options -> options);
  }

  TransportFixture(int port, UnaryOperator<TransportOptionsBuilder> settings) {
    TransportOptionsBuilder options =
        TransportOptions.builder().endpoint("localhost", port).plaintext(true);
    transport = new ClientTransport(settings.apply(options).build(), blocking);
  }

  Loop loop() {
    return transport.transport(0).loop();
  }

  RecordingListener listener() {
    return watch(new RecordingListener(loop()));
  }

  <T extends RecordingListener> T watch(T listener) {
    listeners.add(listener);
    return listener;
  }

  StreamCall open(RecordingListener listener) {
    return open(transport.transport(0), REQUEST, listener);
  }

  /** Opens on the loop, as sessions do, and watches that nothing is told before it returns. */
  StreamCall open(StreamTransport on, OpenRequest request, RecordingListener listener) {
    return onLoop(
        on.loop(),
        () -> {
          listener.inMethod = true;
          try {
            return on.open(request, listener);
          } finally {
            listener.inMethod = false;
          }
        });
  }

  /** Opens and asks for messages in one go. */
  StreamCall open(RecordingListener listener, int messages) {
    StreamCall call = open(listener);
    run(listener, () -> call.request(messages));
    return call;
  }

  /** Runs a method of a call on the loop, watching that the listener is not called inside it. */
  void run(RecordingListener listener, Runnable method) {
    onLoop(
        loop(),
        () -> {
          listener.inMethod = true;
          try {
            method.run();
          } finally {
            listener.inMethod = false;
          }
          return null;
        });
  }

  static <T> T onLoop(Loop loop, Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return await(result);
  }

  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(20, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  /** Waits on the loop's own clock. */
  void pass(Duration time) {
    CompletableFuture<Void> passed = new CompletableFuture<>();
    loop().schedule(() -> passed.complete(null), time.toNanos());
    await(passed);
  }

  /** A response with one range of so many bytes. */
  static byte[] response(long readId, int bytes) {
    byte[] content = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) (i * 31 + readId);
    }
    ObjectRangeData.Builder range = ObjectRangeData.newBuilder();
    range.getReadRangeBuilder().setReadId(readId).setReadLength(bytes);
    range.setChecksummedData(
        ChecksummedData.newBuilder().setContent(ByteString.copyFrom(content)).build());
    return BidiReadObjectResponse.newBuilder().addObjectDataRanges(range).build().toByteArray();
  }

  /** Waits for a condition that other threads bring about, without a fixed pause. */
  static void awaitThat(String what, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    try {
      while (!condition.call()) {
        assertTrue(System.nanoTime() < deadline, what);
        Thread.yield();
      }
    } catch (Exception failure) {
      throw new AssertionError(what, failure);
    }
  }

  @Override
  public void close() {
    await(transport.closeAsync(Duration.ZERO));
    listeners.forEach(RecordingListener::finish);
    blocking.shutdown();
    assertEquals(0, transport.pinnedDirectBytes(), "bytes still pinned after the close");
  }
}
