// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import com.google.auth.Credentials;
import com.google.auth.oauth2.GoogleCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a client connects. Immutable and thread-safe.
 *
 * @param host the endpoint's host name or address
 * @param port the endpoint's port, 1 to 65535
 * @param plaintext whether to connect without TLS, as to an emulator
 * @param trustedCertificates the certificates to trust instead of the system's; empty for those
 * @param credentials what calls carry; empty for none
 * @param receiveBufferBytes the most that one read from the socket takes; reads adapt up to it
 * @param flowControlWindowBytes what the server may send on a stream before it is asked for more
 * @param pinnedMemoryBytes how much received memory may be pinned for more of it to be held
 * @param eventLoops the number of event loops, each with one thread
 * @param connections the number of connections, spread over the loops; one for each at least. The
 *     server's limit of concurrent streams can make it more
 * @param roomTiming when connections are looked after
 * @param messageLimitBytes the largest response that is taken
 * @param metadataLimitBytes the largest headers or trailers that are taken
 * @param userAgent told to the server before gRPC's own
 * @param userProject the project to bill, which goes before that of the credentials
 * @param keepAlive how long a connection with calls may be silent before it is probed; empty for no
 *     probes. They are off by default: servers of gRPC end a connection for probes that come more
 *     often than every five minutes, and streams that wait for something notice silence far sooner
 * @param customizer changes the channel's settings before those are made that this library relies
 *     on
 */
public record TransportOptions(
    String host,
    int port,
    boolean plaintext,
    List<X509Certificate> trustedCertificates,
    Optional<Credentials> credentials,
    int receiveBufferBytes,
    int flowControlWindowBytes,
    long pinnedMemoryBytes,
    int eventLoops,
    int connections,
    RoomTiming roomTiming,
    int messageLimitBytes,
    int metadataLimitBytes,
    String userAgent,
    Optional<String> userProject,
    Optional<Duration> keepAlive,
    Consumer<NettyChannelBuilder> customizer) {

  /** Few, large reads: seen to take a sixth off the cost of one busy stream. */
  public static final int DEFAULT_RECEIVE_BUFFER_BYTES = 1 << 20;

  /**
   * Eight chunks of the largest size. At 1 GB/s it covers a round trip of 16 ms, and it bounds what
   * a stream that does not ask for messages can make a client hold: gRPC refills the window of the
   * connection whatever its streams do.
   */
  public static final int DEFAULT_FLOW_CONTROL_WINDOW_BYTES = 16 << 20;

  /**
   * One stream that waits for 32 chunks of 2 MiB was seen to pin 204 MiB: it must not come to
   * copies by itself.
   */
  public static final long DEFAULT_PINNED_MEMORY_BYTES = 256L << 20;

  /**
   * Most clients are bound by one core's copying, and loops that idle cost nothing but a thread.
   */
  public static final int DEFAULT_EVENT_LOOPS = 1;

  /** Many sessions on one connection cost less than several connections on a loop. */
  public static final int DEFAULT_CONNECTIONS = 1;

  /** A response holds several chunks of up to 2 MiB, and no total is documented. */
  public static final int DEFAULT_MESSAGE_LIMIT_BYTES = 16 << 20;

  /** Error details name each pending range: gRPC's own 8 KiB would break the connection. */
  public static final int DEFAULT_METADATA_LIMIT_BYTES = 4 << 20;

  /** The public endpoint of the service. */
  public static final String DEFAULT_HOST = "storage.googleapis.com";

  /** The port of {@link #DEFAULT_HOST}. */
  public static final int DEFAULT_PORT = 443;

  /** HTTP/2's own default: a smaller window would only slow the server down. */
  private static final int LEAST_WINDOW_BYTES = 65_535;

  /** Checks the values. */
  public TransportOptions {
    requireRange("port", port, 1, 65_535);
    requireRange("receiveBufferBytes", receiveBufferBytes, 1024, 1 << 30);
    requireRange(
        "flowControlWindowBytes", flowControlWindowBytes, LEAST_WINDOW_BYTES, Integer.MAX_VALUE);
    requireRange("pinnedMemoryBytes", pinnedMemoryBytes, 0, Long.MAX_VALUE);
    requireRange("eventLoops", eventLoops, 1, 1024);
    requireRange("connections", connections, eventLoops, 1024);
    requireRange("messageLimitBytes", messageLimitBytes, 1024, Integer.MAX_VALUE);
    requireRange("metadataLimitBytes", metadataLimitBytes, 1024, Integer.MAX_VALUE);
    Objects.requireNonNull(userAgent, "userAgent");
    Objects.requireNonNull(customizer, "customizer");
    trustedCertificates = List.copyOf(trustedCertificates);
    if (host.isBlank()) {
      throw new IllegalArgumentException("host is empty");
    }
    if (plaintext && credentials.isPresent() && credentials.get() instanceof GoogleCredentials) {
      throw new IllegalArgumentException(
          "Google credentials are never sent without TLS: use TLS, or no credentials with "
              + host
              + ":"
              + port);
    }
    userProject.ifPresent(project -> RequestHeaders.requireUsable("x-goog-user-project", project));
  }

  private static void requireRange(String name, long value, long least, long greatest) {
    if (value < least || value > greatest) {
      throw new IllegalArgumentException(
          name + " is " + value + ", not from " + least + " to " + greatest);
    }
  }

  /** The settings for an endpoint, to be changed. */
  public static TransportOptionsBuilder builder() {
    return new TransportOptionsBuilder();
  }
}
