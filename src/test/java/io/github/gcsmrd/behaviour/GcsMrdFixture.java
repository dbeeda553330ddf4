// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.GcsClientBuilder;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MrdOptionsBuilder;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.FakeGcsBuilder;
import io.github.gcsmrd.testing.FakeObject;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server and a client for one test, and what must hold after it: no stream is open, no received
 * memory is pinned. Confined to the test's thread.
 *
 * <p>Back-off is a millisecond without jitter, so that no test waits for it; timeouts are the
 * library's own, far longer than a test, unless the test is about one.
 */
final class GcsMrdFixture implements BeforeEachCallback, AfterEachCallback {
  static final String BUCKET = "bucket";
  static final String OBJECT = "object";

  /** The limit of everything that should happen soon; a healthy run never comes near it. */
  static final Duration SOON = Duration.ofSeconds(20);

  private final List<MultiRangeDownloader> sessions = new ArrayList<>();
  private final List<Gate> gates = new ArrayList<>();
  private FakeGcs server;
  private GcsClient client;

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    serve(FakeGcs.builder());
  }

  /** Takes another server in place of the present one, and a client of it. */
  void serve(FakeGcsBuilder settings) throws IOException {
    stop();
    server = settings.start();
    connect(GcsClient.builder().noCredentials());
  }

  /** Takes another client in place of the present one; it trusts the server. */
  void connect(GcsClientBuilder settings) {
    if (client != null) {
      client.close();
    }
    server.certificate().ifPresent(settings::trustedCertificates);
    client = settings.endpoint(server.endpoint()).build();
  }

  FakeGcs server() {
    return server;
  }

  GcsClient client() {
    return client;
  }

  /** Stores a generated object whose bytes differ everywhere. */
  ObjectContent put(long size) {
    return put(size, ObjectOptions.defaults()).content();
  }

  FakeObject put(long size, ObjectOptions options) {
    return server.put(BUCKET, OBJECT, ObjectContent.generated(size, size), options);
  }

  /** Options with quick retries. */
  static MrdOptionsBuilder options() {
    return MrdOptions.builder().retryPolicy(retries().build());
  }

  static RetryPolicy.Builder retries() {
    return RetryPolicy.builder().initialDelay(Duration.ofMillis(1)).jitter(false);
  }

  MultiRangeDownloader open() {
    return open(options());
  }

  /** Begins to open the object; closed after the test. */
  MultiRangeDownloader open(MrdOptionsBuilder options) {
    MultiRangeDownloader mrd = client.createMrd(BUCKET, OBJECT, options.build());
    sessions.add(mrd);
    return mrd;
  }

  /** Opens the object and waits for that, so that later ranges find an open stream. */
  MultiRangeDownloader opened() {
    return opened(options());
  }

  MultiRangeDownloader opened(MrdOptionsBuilder options) {
    MultiRangeDownloader mrd = open(options);
    get(mrd.opened());
    return mrd;
  }

  /**
   * Returns a closed gate, which is opened at the latest after the test: a server that still waits
   * there would make the close wait for it.
   */
  Gate gate() {
    Gate gate = Gate.closed();
    gates.add(gate);
    return gate;
  }

  static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return fail("failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      return fail("not done within " + SOON + ": " + future, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted", e);
    }
  }

  /** Waits for a failure and returns it. */
  static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    ExecutionException e =
        assertThrows(
            ExecutionException.class, () -> future.get(SOON.toMillis(), TimeUnit.MILLISECONDS));
    return assertInstanceOf(type, e.getCause());
  }

  static void assertRange(ObjectContent content, long offset, int length, byte[] actual) {
    assertRange(content, offset, length, ByteBuffer.wrap(actual));
  }

  static void assertRange(ObjectContent content, long offset, int length, ByteBuffer actual) {
    assertTrue(
        actual.remaining() == length && content.matches(offset, actual),
        () -> "not the " + length + " bytes at " + offset + ": " + actual);
  }

  /** Reads and compares. */
  void assertReads(MultiRangeDownloader mrd, ObjectContent content, long offset, int length) {
    assertRange(content, offset, length, get(mrd.read(ByteRange.of(offset, length))));
  }

  /** Waits for a condition that nobody signals. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        fail("no " + what + " within " + SOON);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    try {
      gates.forEach(Gate::open);
      sessions.forEach(MultiRangeDownloader::closeAsync);
      server.awaitNoOpenStreams(SOON);
      await("end of pinned memory", () -> client.pinnedBytes() == 0);
    } finally {
      stop();
    }
  }

  private void stop() {
    if (client != null) {
      client.close();
      server.close();
      client = null;
    }
    sessions.clear();
  }
}
