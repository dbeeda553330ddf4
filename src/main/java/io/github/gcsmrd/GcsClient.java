// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.stream.Offload;
import io.github.gcsmrd.internal.stream.Session;
import io.github.gcsmrd.internal.stream.SessionConfig;
import io.github.gcsmrd.internal.stream.SessionTools;
import io.github.gcsmrd.internal.stream.StreamSet;
import io.github.gcsmrd.internal.stream.StreamTransport;
import io.github.gcsmrd.internal.transport.ClientTransport;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/**
 * A connection to the service, of which sessions are made. Thread-safe, and meant to be shared: one
 * for a process is usual.
 *
 * <p>It owns its event loops (daemon threads), connections and memory, all freed by {@link
 * #close()}. Nothing is connected before the first session.
 *
 * <pre>{@code
 * try (GcsClient client = GcsClient.create();
 *     MultiRangeDownloader mrd = client.createMrd("my-rapid-bucket", "my-object")) {
 *   byte[] head = mrd.read(ByteRange.of(0, 4096)).join();
 * }
 * }</pre>
 */
public final class GcsClient implements AutoCloseable {
  /** How long a close waits for the server to end what is open before it cancels. */
  static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  /**
   * How long connections may take to close in order once the sessions have ended. There are no
   * calls on them any more; but gRPC leaves it to the server to close one on which that has
   * announced it, and some take their time.
   */
  private static final Duration FAREWELL_WAIT = Duration.ofMillis(250);

  private final ClientTransport transport;
  private final ClientExecutors executors;
  private final Offload offload;
  private final CreditPool credit;
  private final Set<MultiRangeDownloader> sessions = ConcurrentHashMap.newKeySet();
  private final String description;
  private volatile boolean closing;

  GcsClient(
      ClientTransport transport,
      ClientExecutors executors,
      Offload offload,
      CreditPool credit,
      String description) {
    this.transport = transport;
    this.executors = executors;
    this.offload = offload;
    this.credit = credit;
    this.description = description;
  }

  /**
   * Returns a client of the public service with application default credentials and TLS; or of an
   * emulator, without either, if {@code STORAGE_EMULATOR_HOST_GRPC} is set.
   *
   * @return a client, to be closed
   * @throws java.io.UncheckedIOException if there are no application default credentials
   * @throws IllegalStateException if the class path holds an older protobuf than this library needs
   */
  public static GcsClient create() {
    return builder().build();
  }

  /**
   * Returns a builder that holds the defaults.
   *
   * @return the builder
   */
  public static GcsClientBuilder builder() {
    return new GcsClientBuilder(System.getenv());
  }

  /**
   * Begins to open an object, with the default options, and returns at once. Reading need not wait
   * for the open: it costs no round trip of its own.
   *
   * @param bucket the bucket's plain name
   * @param object the object's name
   * @return the session, to be closed
   * @throws IllegalArgumentException if a name can't be
   * @throws IllegalStateException if the client is closed
   */
  public MultiRangeDownloader createMrd(String bucket, String object) {
    return createMrd(bucket, object, MrdOptions.defaults());
  }

  /**
   * Begins to open an object and returns at once.
   *
   * @param bucket the bucket's plain name
   * @param object the object's name
   * @param options the options of the session
   * @return the session, to be closed
   * @throws IllegalArgumentException if a name can't be, or a read handle is of another object
   * @throws IllegalStateException if the client is closed
   */
  public MultiRangeDownloader createMrd(String bucket, String object, MrdOptions options) {
    Checks.bucketName(bucket);
    Checks.objectName(object);
    Objects.requireNonNull(options, "options");
    if (closing) {
      throw new IllegalStateException("the client is closed");
    }
    SessionEvents events = new SessionEvents(bucket, object);
    ReadPlan plan = plan(SessionConfigs.of(bucket, object, options), options, events);
    MultiRangeDownloader mrd = new MultiRangeDownloader(bucket, object, plan, events);
    sessions.add(mrd);
    events.whenStopped(() -> sessions.remove(mrd));
    try {
      plan.session().start();
    } catch (RejectedExecutionException e) {
      sessions.remove(mrd);
      throw new IllegalStateException("the client is closed", e);
    }
    if (closing) {
      // The close may have missed it.
      var unused = mrd.closeAsync();
    }
    return mrd;
  }

  private ReadPlan plan(SessionConfig config, MrdOptions options, SessionEvents events) {
    StreamTransport home = transport.next();
    SessionTools tools =
        new SessionTools(
            Renewals.of(transport.credentials()),
            offload,
            executors.callbacks(),
            executors.blocking());
    if (options.mostStreams() == 1) {
      Session session = new Session(config, home, tools, events);
      return new ReadPlan(session, executors.blocking(), credit, 1, Optional::empty);
    }
    StreamSet set =
        new StreamSet(
            config,
            options.streams(),
            (onHome, of, part, known) ->
                new Session(of, onHome ? home : transport.next(), tools, part, part, known),
            events,
            events::endUnsent);
    return new ReadPlan(set, executors.blocking(), credit, options.mostStreams(), set::known);
  }

  /**
   * Sets whether chunks of 1 MiB or more are hashed on two threads of the client instead of its
   * event loops. It holds from the next chunk on, and wins over the system property {@code
   * gcs.client.crc32c.offload} and the environment variable {@code GCS_CLIENT_CRC32C_OFFLOAD}.
   *
   * @param on whether they leave the loop
   */
  public void crc32cOffload(boolean on) {
    offload.set(on);
  }

  /**
   * Returns how much direct memory is in use for received and not yet released data: messages being
   * received, held for sinks, or retained by the application.
   *
   * @return bytes pinned in the client's own allocator, 0 when idle
   */
  public long pinnedBytes() {
    return transport.pinnedDirectBytes();
  }

  /**
   * Closes all sessions, connections and threads, and waits for that, at most about 10 s. Ranges
   * that wait fail with {@link SessionClosedException}; results and retained chunks stay valid.
   * Closing twice does nothing. On an event loop it doesn't wait; an interrupt ends the wait and is
   * kept.
   */
  @Override
  public void close() {
    CompletableFuture<Void> closed = closeAsync();
    if (!transport.isOnLoop()) {
      Waits.atMost(closed, CLOSE_WAIT.multipliedBy(2));
    }
  }

  /**
   * Begins to close the client, as {@link #close()}, and never blocks.
   *
   * @return a future that ends when nothing of the client is left
   */
  public CompletableFuture<Void> closeAsync() {
    closing = true;
    CompletableFuture<?>[] stops =
        sessions.stream()
            .map(MultiRangeDownloader::closeAsync)
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(stops)
        .exceptionally(failure -> null)
        .thenCompose(stopped -> transport.closeAsync(FAREWELL_WAIT))
        .whenComplete(
            (nothing, failure) -> {
              offload.pool().close();
              executors.shutdown();
            });
  }

  @Override
  public String toString() {
    return "GcsClient["
        + description
        + ", "
        + sessions.size()
        + " sessions"
        + (closing ? ", closed" : "")
        + "]";
  }
}
