// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import com.google.auth.Credentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Builds {@link TransportOptions}, which say what each setting means. Not thread-safe. */
public final class TransportOptionsBuilder {
  private String host = TransportOptions.DEFAULT_HOST;
  private int port = TransportOptions.DEFAULT_PORT;
  private boolean plaintext;
  private List<X509Certificate> trustedCertificates = List.of();
  private Optional<Credentials> credentials = Optional.empty();
  private int receiveBufferBytes = TransportOptions.DEFAULT_RECEIVE_BUFFER_BYTES;
  private int flowControlWindowBytes = TransportOptions.DEFAULT_FLOW_CONTROL_WINDOW_BYTES;
  private long pinnedMemoryBytes = TransportOptions.DEFAULT_PINNED_MEMORY_BYTES;
  private int eventLoops = TransportOptions.DEFAULT_EVENT_LOOPS;
  private int connections = TransportOptions.DEFAULT_CONNECTIONS;
  private RoomTiming roomTiming = RoomTiming.DEFAULT;
  private int messageLimitBytes = TransportOptions.DEFAULT_MESSAGE_LIMIT_BYTES;
  private int metadataLimitBytes = TransportOptions.DEFAULT_METADATA_LIMIT_BYTES;
  private String userAgent = "gcs-mrd/" + LibraryVersion.ownVersion();
  private Optional<String> userProject = Optional.empty();
  private Optional<Duration> keepAlive = Optional.empty();
  private Consumer<NettyChannelBuilder> customizer = channel -> {};

  TransportOptionsBuilder() {}

  public TransportOptionsBuilder endpoint(String newHost, int newPort) {
    host = newHost;
    port = newPort;
    return this;
  }

  public TransportOptionsBuilder plaintext(boolean value) {
    plaintext = value;
    return this;
  }

  public TransportOptionsBuilder trustedCertificates(List<X509Certificate> value) {
    trustedCertificates = value;
    return this;
  }

  public TransportOptionsBuilder credentials(Optional<Credentials> value) {
    credentials = value;
    return this;
  }

  public TransportOptionsBuilder receiveBufferBytes(int value) {
    receiveBufferBytes = value;
    return this;
  }

  public TransportOptionsBuilder flowControlWindowBytes(int value) {
    flowControlWindowBytes = value;
    return this;
  }

  public TransportOptionsBuilder pinnedMemoryBytes(long value) {
    pinnedMemoryBytes = value;
    return this;
  }

  public TransportOptionsBuilder eventLoops(int value) {
    eventLoops = value;
    return this;
  }

  public TransportOptionsBuilder connections(int value) {
    connections = value;
    return this;
  }

  public TransportOptionsBuilder roomTiming(RoomTiming value) {
    roomTiming = value;
    return this;
  }

  public TransportOptionsBuilder messageLimitBytes(int value) {
    messageLimitBytes = value;
    return this;
  }

  public TransportOptionsBuilder metadataLimitBytes(int value) {
    metadataLimitBytes = value;
    return this;
  }

  public TransportOptionsBuilder userAgent(String value) {
    userAgent = value;
    return this;
  }

  public TransportOptionsBuilder userProject(Optional<String> value) {
    userProject = value;
    return this;
  }

  public TransportOptionsBuilder keepAlive(Optional<Duration> value) {
    keepAlive = value;
    return this;
  }

  public TransportOptionsBuilder customizer(Consumer<NettyChannelBuilder> value) {
    customizer = value;
    return this;
  }

  /**
   * Returns the settings.
   *
   * @throws IllegalArgumentException if a value is out of its range, or if values don't go together
   */
  public TransportOptions build() {
    return new TransportOptions(
        host,
        port,
        plaintext,
        trustedCertificates,
        credentials,
        receiveBufferBytes,
        flowControlWindowBytes,
        pinnedMemoryBytes,
        eventLoops,
        connections,
        roomTiming,
        messageLimitBytes,
        metadataLimitBytes,
        userAgent,
        userProject,
        keepAlive,
        customizer);
  }
}
