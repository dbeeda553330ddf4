// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.testing.ServerState.LiveStream;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * An embedded storage server for tests: a real gRPC server on the loopback address that speaks
 * {@code google.storage.v2.Storage/BidiReadObject}, with scripted faults, and records of what it
 * received. Thread-safe.
 *
 * <pre>{@code
 * try (FakeGcs server = FakeGcs.start()) {
 *   FakeObject object = server.put("bucket", "object", ObjectContent.generated(1, 64 << 20));
 *   server.onStream(1, StreamScript.at(When.sent(100), StreamAction.end(StatusCode.UNAVAILABLE)));
 *   ... read from server.endpoint(), then look at server.streams() ...
 * }
 * }</pre>
 *
 * <p>Without a script it does what the service does, and refuses with INVALID_ARGUMENT what a
 * client must not do: a spec in a later message, more than 100 ranges in a message, a read id that
 * is outstanding already. It sends only while the client takes: what a slow client leaves in the
 * transport is about a chunk and a MiB per stream.
 *
 * <p>The records of all streams are kept until the server is dropped.
 *
 * <p>A script for a stream is chosen when its headers come: that of its ordinal, else the next one
 * queued by {@link #onNextStream}, else that of {@link #onEveryStream}. A script for a range is
 * chosen when the range comes: the first rule of {@link #onRange} that fits, else the stream's.
 */
public final class FakeGcs implements AutoCloseable {
  /** The largest chunk by default, as the service's: 2 MiB. */
  public static final int DEFAULT_CHUNK_BYTES = 2 << 20;

  /** The read id of {@link ChunkFault#unknownReadId}. */
  public static final long UNKNOWN_READ_ID = Long.MAX_VALUE - 7;

  private final ServerState state;
  private final GrpcServer server;
  private final Optional<SelfSigned> identity;
  private final AnsweringThreads threads;
  private final AtomicBoolean closed = new AtomicBoolean();

  FakeGcs(FakeGcsBuilder settings) throws IOException {
    identity = settings.tls ? Optional.of(SelfSigned.make()) : Optional.empty();
    threads = new AnsweringThreads(settings.executor);
    state = new ServerState(settings.chunkBytes, settings.latency, threads.executor());
    boolean started = false;
    try {
      server = new GrpcServer(settings, state, identity);
      started = true;
    } finally {
      if (!started) {
        threads.shutDown();
      }
    }
  }

  /**
   * Starts a server in plaintext on a free port.
   *
   * @return the running server
   * @throws IOException if no port can be had
   */
  public static FakeGcs start() throws IOException {
    return builder().start();
  }

  /**
   * Returns a builder for a server that differs from {@link #start()}'s.
   *
   * @return a new builder
   */
  public static FakeGcsBuilder builder() {
    return new FakeGcsBuilder();
  }

  /**
   * Returns where the server is.
   *
   * @return {@code http://localhost:PORT}, or {@code https} with TLS
   */
  public String endpoint() {
    return (identity.isPresent() ? "https" : "http") + "://localhost:" + port();
  }

  /**
   * Returns the TCP port.
   *
   * @return the port
   */
  public int port() {
    return server.port();
  }

  /**
   * Returns the certificate that a client must trust.
   *
   * @return empty if the server speaks plaintext
   */
  public Optional<X509Certificate> certificate() {
    return identity.map(SelfSigned::certificate);
  }

  /**
   * Stores an object, as a new generation if there was one of the name.
   *
   * @param bucket the bucket's name, without {@code projects/_/buckets/}
   * @param object the object's name
   * @param content its bytes
   * @return the stored object
   */
  public FakeObject put(String bucket, String object, ObjectContent content) {
    return put(bucket, object, content, ObjectOptions.defaults());
  }

  /**
   * Stores an object, as a new generation if there was one of the name.
   *
   * @param bucket the bucket's name, without {@code projects/_/buckets/}
   * @param object the object's name
   * @param content its bytes
   * @param options what it is like besides
   * @return the stored object
   */
  public FakeObject put(
      String bucket, String object, ObjectContent content, ObjectOptions options) {
    return state.store.put(bucket, object, content, options);
  }

  /**
   * Deletes an object. Streams that read it go on.
   *
   * @param bucket the bucket's name
   * @param object the object's name
   * @return whether there was such an object
   */
  public boolean delete(String bucket, String object) {
    return state.store.delete(bucket, object);
  }

  /**
   * Scripts one stream.
   *
   * @param ordinal 1 for the first stream that the server gets, and so on
   * @param script what the server does
   * @return this
   */
  public FakeGcs onStream(int ordinal, StreamScript script) {
    state.scripts.onStream(ordinal, script);
    return this;
  }

  /**
   * Scripts the next stream that has no script of its ordinal. Calling it again queues another.
   *
   * @param script what the server does
   * @return this
   */
  public FakeGcs onNextStream(StreamScript script) {
    state.scripts.onNextStream(script);
    return this;
  }

  /**
   * Scripts all later streams that have no script of their own.
   *
   * @param script what the server does
   * @return this
   */
  public FakeGcs onEveryStream(StreamScript script) {
    state.scripts.onEveryStream(script);
    return this;
  }

  /**
   * Scripts ranges. Of several rules that fit, the one given first counts.
   *
   * @param ranges which ranges
   * @param script what the server does
   * @return this
   */
  public FakeGcs onRange(RangeMatch ranges, RangeScript script) {
    state.scripts.onRange(ranges, script);
    return this;
  }

  /**
   * Drops all scripts; streams and ranges that have one keep it.
   *
   * @return this
   */
  public FakeGcs clearScripts() {
    state.scripts.clear();
    return this;
  }

  /**
   * Does something to a stream now, whatever its script says, also if the script holds it. Returns
   * before it is done.
   *
   * @param ordinal the stream's ordinal
   * @param action what is done
   * @return false if there is no such stream or it has ended
   */
  public boolean perform(int ordinal, StreamAction action) {
    LiveStream stream = state.live.get(ordinal);
    if (stream == null || stream(ordinal).end().isPresent()) {
      return false;
    }
    stream
        .executor()
        .execute(
            () -> {
              stream.engine().perform(action);
              stream.engine().pump();
            });
    return true;
  }

  /**
   * Refuses new streams without this bearer token, with UNAUTHENTICATED. Open ones go on.
   *
   * @param token the token that is accepted from now on
   * @return this
   */
  public FakeGcs requireToken(String token) {
    state.requireToken(Optional.of(token));
    return this;
  }

  /**
   * Accepts new streams with any bearer token or none. The default.
   *
   * @return this
   */
  public FakeGcs acceptAnyToken() {
    state.requireToken(Optional.empty());
    return this;
  }

  /** Drops all connections with a TCP reset. New ones are accepted. */
  public void dropConnections() {
    state.connections.all().forEach(Connection::drop);
  }

  /**
   * Sends GOAWAY on all connections: their streams go on, new ones need another connection. Each
   * connection is closed after its last stream.
   */
  public void sendGoAway() {
    state.connections.all().forEach(connection -> connection.goAway(() -> {}));
  }

  /**
   * Returns what the server received so far.
   *
   * @return a record of each stream in the order of their ordinals
   */
  public List<StreamRecord> streams() {
    return state.traffic.snapshot();
  }

  /**
   * Returns what the server received on one stream so far.
   *
   * @param ordinal the stream's ordinal
   * @return its record
   * @throws IndexOutOfBoundsException if there was no such stream
   */
  public StreamRecord stream(int ordinal) {
    return state
        .traffic
        .snapshot(ordinal)
        .orElseThrow(() -> new IndexOutOfBoundsException(ordinal));
  }

  /**
   * Returns how many streams have not ended.
   *
   * @return the number now
   */
  public int openStreams() {
    return state.traffic.openStreamCount();
  }

  /**
   * Returns how many TCP connections were accepted so far.
   *
   * @return the number, closed ones included
   */
  public int connections() {
    return state.connections.acceptedCount();
  }

  /**
   * Returns how many TCP connections are open.
   *
   * @return the number now
   */
  public int openConnections() {
    return state.connections.openCount();
  }

  /**
   * Waits until so many streams were started.
   *
   * @param count how many, ended ones included
   * @param timeout how long to wait at most
   * @throws AssertionError if they did not come in time; it tells what the server saw
   * @throws InterruptedException if the thread was interrupted
   */
  public void awaitStreams(int count, Duration timeout) throws InterruptedException {
    await(count + " streams", () -> state.traffic.streamCount() >= count, timeout);
  }

  /**
   * Waits until so many ranges were received, on all streams together.
   *
   * @param count how many
   * @param timeout how long to wait at most
   * @throws AssertionError if they did not come in time; it tells what the server saw
   * @throws InterruptedException if the thread was interrupted
   */
  public void awaitRanges(int count, Duration timeout) throws InterruptedException {
    await(count + " ranges", () -> state.traffic.rangeCount() >= count, timeout);
  }

  /**
   * Waits until no stream is open.
   *
   * @param timeout how long to wait at most
   * @throws AssertionError if one stays open; it tells what the server saw
   * @throws InterruptedException if the thread was interrupted
   */
  public void awaitNoOpenStreams(Duration timeout) throws InterruptedException {
    await("end of all streams", () -> openStreams() == 0, timeout);
  }

  /**
   * Waits until a stream was started and fulfils a condition, which is asked again on each change.
   *
   * @param ordinal the stream's ordinal
   * @param what the condition in words, for the error
   * @param condition for example {@code StreamRecord::halfClosed}
   * @param timeout how long to wait at most
   * @return the record that fulfilled it
   * @throws AssertionError if it isn't fulfilled in time; it tells what the server saw
   * @throws InterruptedException if the thread was interrupted
   */
  public StreamRecord awaitStream(
      int ordinal, String what, Predicate<StreamRecord> condition, Duration timeout)
      throws InterruptedException {
    return state.traffic.awaitStream(ordinal, what, condition, timeout);
  }

  /**
   * Waits for a condition of what the server received. It is asked again on each change of the
   * records.
   *
   * @param what the condition in words, for the error
   * @param condition for example {@code () -> server.openStreams() == 2}; must not block
   * @param timeout how long to wait at most
   * @throws AssertionError if it isn't fulfilled in time; it tells what the server saw
   * @throws InterruptedException if the thread was interrupted
   */
  public void await(String what, BooleanSupplier condition, Duration timeout)
      throws InterruptedException {
    state.traffic.await(what, condition, timeout);
  }

  /**
   * Cuts all streams and connections and returns when no thread of the server is left. Doing it
   * again does nothing. If the thread is interrupted it returns early, with its interrupt flag set.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      server.cut();
      threads.close();
      server.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
