// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import com.google.auth.Credentials;
import com.google.auth.oauth2.GoogleCredentials;
import io.github.gcsmrd.grpc.ChannelCustomizer;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.stream.Offload;
import io.github.gcsmrd.internal.transport.ClientTransport;
import io.github.gcsmrd.internal.transport.TransportOptions;
import io.github.gcsmrd.internal.wire.ProtobufRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link GcsClient}. Not thread-safe.
 *
 * <p>Defaults: the public endpoint over TLS with application default credentials; one event loop
 * and one connection; receive buffer adaptive up to 1 MiB; flow-control window 16 MiB.
 */
public final class GcsClientBuilder {
  /** The environment variable that names an emulator, as other clients of the service read it. */
  static final String EMULATOR_VARIABLE = "STORAGE_EMULATOR_HOST_GRPC";

  /** Thirty-two ranges at full credit: more than one machine's cores are busy with. */
  private static final long DEFAULT_SINK_MEMORY_BYTES = 256L << 20;

  /** The full credit of one range; with less, nothing large would ever be asked for. */
  private static final long LEAST_SINK_MEMORY_BYTES = 8L << 20;

  private static final String DEFAULT_USER_AGENT = "gcs-mrd";

  private final Map<String, String> environment;
  private @Nullable Endpoint endpoint;
  private @Nullable Boolean plaintext;
  private @Nullable Credentials credentials;
  private boolean anonymous;
  private List<X509Certificate> trustedCertificates = List.of();
  private int eventLoops = TransportOptions.DEFAULT_EVENT_LOOPS;
  private OptionalInt connections = OptionalInt.empty();
  private int receiveBufferBytes = TransportOptions.DEFAULT_RECEIVE_BUFFER_BYTES;
  private int flowControlWindowBytes = TransportOptions.DEFAULT_FLOW_CONTROL_WINDOW_BYTES;
  private Optional<Executor> callbackExecutor = Optional.empty();
  private long pinnedMemoryBytes = TransportOptions.DEFAULT_PINNED_MEMORY_BYTES;
  private long sinkMemoryBytes = DEFAULT_SINK_MEMORY_BYTES;
  private Optional<Boolean> crc32cOffload = Optional.empty();
  private String userAgent = DEFAULT_USER_AGENT;
  private Optional<String> userProject = Optional.empty();
  private ChannelCustomizer customizer = channel -> {};

  GcsClientBuilder(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Sets where the service is; wins over {@code STORAGE_EMULATOR_HOST_GRPC}.
   *
   * @param endpoint {@code host}, {@code host:port}, {@code http://host:port} (plaintext) or {@code
   *     https://host:port}
   * @return this builder
   * @throws IllegalArgumentException if it is none of these
   */
  public GcsClientBuilder endpoint(String endpoint) {
    this.endpoint = Endpoint.parse(endpoint, "endpoint");
    return this;
  }

  /**
   * Connects without TLS, as to an emulator; then there are no credentials either. What contradicts
   * the scheme of the endpoint is refused by {@link #build}.
   *
   * @param plaintext false by default, unless the endpoint says {@code http://}
   * @return this builder
   */
  public GcsClientBuilder plaintext(boolean plaintext) {
    this.plaintext = plaintext;
    return this;
  }

  /**
   * Sets what calls carry, instead of application default credentials.
   *
   * @param credentials the credentials
   * @return this builder
   */
  public GcsClientBuilder credentials(Credentials credentials) {
    this.credentials = Objects.requireNonNull(credentials, "credentials");
    this.anonymous = false;
    return this;
  }

  /**
   * Sends no credentials: for public objects and emulators.
   *
   * @return this builder
   */
  public GcsClientBuilder noCredentials() {
    this.credentials = null;
    this.anonymous = true;
    return this;
  }

  /**
   * Trusts these certificates instead of the system's.
   *
   * @param certificates at least one
   * @return this builder
   * @throws IllegalArgumentException if there is none
   */
  public GcsClientBuilder trustedCertificates(X509Certificate... certificates) {
    Objects.requireNonNull(certificates, "certificates");
    if (certificates.length == 0) {
      throw new IllegalArgumentException("certificates is empty: nothing would be trusted");
    }
    for (int i = 0; i < certificates.length; i++) {
      Objects.requireNonNull(certificates[i], "certificates[" + i + "]");
    }
    this.trustedCertificates = List.of(certificates);
    return this;
  }

  /**
   * Sets the number of event loops, each one thread: receiving, checking and delivering of a
   * connection happen on one of them. Sessions are spread over the loops in turn, and stay on
   * theirs. More of them pay where one core is not enough for what is received.
   *
   * @param eventLoops 1 to 1024, 1 by default
   * @return this builder
   */
  public GcsClientBuilder eventLoops(int eventLoops) {
    this.eventLoops = Checks.inRange(eventLoops, 1, 1024, "eventLoops");
    return this;
  }

  /**
   * Sets the number of connections. They are spread over the event loops; the streams of a loop go
   * to the one of its connections that has the fewest. More of them pay where one is slower than
   * the network, as on a long way; many on one loop make receiving dearer.
   *
   * <p>Servers limit the streams of a connection, to 100 usually. Where the connections are full,
   * the client opens extra ones, and closes each after a minute without a stream: no stream waits
   * behind the limit.
   *
   * @param connections 1 to 1024, and no fewer than event loops; 1 for each loop by default
   * @return this builder
   */
  public GcsClientBuilder connections(int connections) {
    this.connections = OptionalInt.of(Checks.inRange(connections, 1, 1024, "connections"));
    return this;
  }

  /**
   * Sets the most that one read from the socket takes; reads adapt up to it.
   *
   * @param bytes 1 KiB to 1 GiB, 1 MiB by default
   * @return this builder
   */
  public GcsClientBuilder receiveBufferBytes(int bytes) {
    this.receiveBufferBytes = Checks.inRange(bytes, 1 << 10, 1 << 30, "receiveBufferBytes");
    return this;
  }

  /**
   * Sets how much the server may send on a stream before it is asked for more.
   *
   * @param bytes 64 KiB - 1 or more, 16 MiB by default
   * @return this builder
   */
  public GcsClientBuilder flowControlWindowBytes(int bytes) {
    this.flowControlWindowBytes =
        Checks.inRange(bytes, 65_535, Integer.MAX_VALUE, "flowControlWindowBytes");
    return this;
  }

  /**
   * Sets the executor on which futures are completed, and so dependent stages run. It is the
   * caller's to shut down, after the client. A callback that waits for another outcome of the same
   * client needs a second thread: an executor of one thread hangs with it.
   *
   * @param executor cached daemon threads of the client by default; a direct executor is no good:
   *     it would run callbacks on an event loop
   * @return this builder
   */
  public GcsClientBuilder callbackExecutor(Executor executor) {
    this.callbackExecutor = Optional.of(Objects.requireNonNull(executor, "executor"));
    return this;
  }

  /**
   * Sets how many bytes all sinks that may block, and all subscribers, of the client together may
   * have asked for or hold. One of them has at most 8 MiB, and less as the rest runs short: each
   * gets at most half of what is left, a quarter is kept for shares of 64 KiB. With the default
   * about a thousand ranges can stand still at a time before a further one has to wait for them,
   * which it does no longer than the session's {@link MrdOptionsBuilder#rangeTimeout}. Buffers,
   * arrays and sinks on the event loop hold nothing and don't count.
   *
   * @param bytes 8 MiB or more, 256 MiB by default
   * @return this builder
   * @throws IllegalArgumentException if it is less
   */
  public GcsClientBuilder sinkMemoryBytes(long bytes) {
    this.sinkMemoryBytes = Checks.atLeast(bytes, LEAST_SINK_MEMORY_BYTES, "sinkMemoryBytes");
    return this;
  }

  /**
   * Sets how much direct memory may be in use, by {@link GcsClient#pinnedBytes}, for received
   * chunks to be kept where they were received. Beyond that nothing stalls or fails: what {@link
   * Chunk#retain} keeps, and what waits for a sink, a subscriber with views or a hash, is copied to
   * the heap until less is in use, and chunks are hashed on the event loop whatever {@link
   * #crc32cOffload} says. Bytes that nobody keeps are not concerned; what is on its way comes on
   * top: a message for each stream, and up to the flow-control window for each that waits for
   * hashes.
   *
   * @param bytes 0 or more, 256 MiB by default; 0 copies whatever is kept
   * @return this builder
   * @throws IllegalArgumentException if it is negative
   */
  public GcsClientBuilder pinnedMemoryBytes(long bytes) {
    this.pinnedMemoryBytes = Checks.notNegative(bytes, "pinnedMemoryBytes");
    return this;
  }

  /**
   * Sets whether chunks of 1 MiB or more are hashed on two threads of the client instead of its
   * event loops: for loops that serve several streams and machines with cores to spare. Wins over
   * the system property {@code gcs.client.crc32c.offload}, which wins over the environment variable
   * {@code GCS_CLIENT_CRC32C_OFFLOAD}; {@link GcsClient#crc32cOffload} changes it later.
   *
   * @param on off by default
   * @return this builder
   */
  public GcsClientBuilder crc32cOffload(boolean on) {
    this.crc32cOffload = Optional.of(on);
    return this;
  }

  /**
   * Sets what the client calls itself, before gRPC's own name.
   *
   * @param userAgent printable ASCII, {@code gcs-mrd} by default
   * @return this builder
   * @throws IllegalArgumentException if it can't be sent
   */
  public GcsClientBuilder userAgent(String userAgent) {
    this.userAgent = Checks.printable(userAgent, "userAgent");
    return this;
  }

  /**
   * Sets the project to bill, for buckets where the requester pays.
   *
   * @param userProject a project's id
   * @return this builder
   * @throws IllegalArgumentException if it can't be sent
   */
  public GcsClientBuilder userProject(String userProject) {
    this.userProject = Optional.of(Checks.printable(userProject, "userProject"));
    return this;
  }

  /**
   * Changes gRPC's channels before they are built.
   *
   * @param customizer called once for each connection, as soon as it is needed: for extra ones on
   *     their event loop, where it must not block
   * @return this builder
   */
  public GcsClientBuilder channelCustomizer(ChannelCustomizer customizer) {
    this.customizer = Objects.requireNonNull(customizer, "customizer");
    return this;
  }

  /**
   * Returns the client. Reads application default credentials, which may look for a metadata
   * server, but connects to nothing else.
   *
   * @return a client, to be closed
   * @throws UncheckedIOException if there are no application default credentials
   * @throws IllegalArgumentException if {@code STORAGE_EMULATOR_HOST_GRPC} is no endpoint
   * @throws IllegalStateException if settings contradict, such as credentials or certificates and
   *     an endpoint without TLS, or the class path holds an older protobuf than this library needs
   */
  public GcsClient build() {
    ProtobufRuntime.require();
    Endpoint where = where();
    boolean withoutTls = isPlaintext(where);
    if (withoutTls) {
      refuseWhatNeedsTls(where);
    }
    Optional<Credentials> carried =
        withoutTls || anonymous ? Optional.empty() : Optional.of(credentialsOrDefault());
    TransportOptions options =
        TransportOptions.builder()
            .endpoint(where.host(), where.port())
            .plaintext(withoutTls)
            .trustedCertificates(trustedCertificates)
            .credentials(carried)
            .receiveBufferBytes(receiveBufferBytes)
            .flowControlWindowBytes(flowControlWindowBytes)
            .pinnedMemoryBytes(pinnedMemoryBytes)
            .eventLoops(eventLoops)
            .connections(connectionCount())
            .userAgent(userAgent)
            .userProject(userProject)
            .customizer(customizer::customize)
            .build();
    ClientExecutors executors = new ClientExecutors(callbackExecutor);
    return new GcsClient(
        new ClientTransport(options, executors.blocking()),
        executors,
        new Offload(new OffloadSwitch(environment, crc32cOffload), new HashPool()),
        new CreditPool(sinkMemoryBytes),
        (withoutTls ? "http://" : "https://") + where.authority());
  }

  private int connectionCount() {
    int count = connections.orElse(eventLoops);
    if (count < eventLoops) {
      throw new IllegalStateException(
          count + " connections can't occupy " + eventLoops + " event loops: each has one loop");
    }
    return count;
  }

  private Endpoint where() {
    if (endpoint != null) {
      return endpoint;
    }
    String emulator = environment.get(EMULATOR_VARIABLE);
    if (emulator == null || emulator.isBlank()) {
      return Endpoint.parse(TransportOptions.DEFAULT_HOST, "endpoint");
    }
    Endpoint parsed = Endpoint.parse(emulator.strip(), EMULATOR_VARIABLE);
    // Emulators speak plaintext, whatever scheme the variable has.
    return new Endpoint(parsed.host(), parsed.port(), Optional.of(true));
  }

  private boolean isPlaintext(Endpoint where) {
    Boolean asked = plaintext;
    if (asked == null) {
      return where.plaintext().orElse(false);
    }
    if (where.plaintext().isPresent() && !where.plaintext().get().equals(asked)) {
      throw new IllegalStateException(
          "plaintext(" + asked + ") contradicts " + source(where) + ": drop one of them");
    }
    return asked;
  }

  private void refuseWhatNeedsTls(Endpoint where) {
    String without =
        where.plaintext().isPresent() ? source(where) : "plaintext(true), " + source(where);
    if (credentials != null) {
      throw new IllegalStateException(
          "credentials are never sent without TLS, which " + without + " means: use https://");
    }
    if (!trustedCertificates.isEmpty()) {
      throw new IllegalStateException(
          "trustedCertificates is for TLS, and " + without + " means none: use https://");
    }
  }

  /** What said where the service is, for messages. */
  private String source(Endpoint where) {
    if (endpoint == null && where.plaintext().isPresent()) {
      return EMULATOR_VARIABLE + "=" + environment.get(EMULATOR_VARIABLE);
    }
    String scheme = where.plaintext().map(http -> http ? "http://" : "https://").orElse("");
    return "endpoint " + scheme + where.authority();
  }

  private Credentials credentialsOrDefault() {
    if (credentials != null) {
      return credentials;
    }
    try {
      return GoogleCredentials.getApplicationDefault();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no application default credentials: log in with 'gcloud auth application-default login',"
              + " set GOOGLE_APPLICATION_CREDENTIALS, or use noCredentials() for public objects",
          e);
    }
  }
}
