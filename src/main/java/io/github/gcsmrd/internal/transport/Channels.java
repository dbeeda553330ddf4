// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Builds the channels of connections. Immutable and thread-safe. */
final class Channels {
  /** The size of a socket's first read, and the least one. */
  private static final int FIRST_READ_BYTES = 64 << 10;

  private static final int LEAST_READ_BYTES = 2 << 10;

  /** How long a probed connection may stay silent. */
  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 20;

  private final TransportOptions options;
  private final ByteBufAllocator allocator;
  private final Executor blocking;

  /** Shared, since making one takes too long for an event loop. */
  private final Optional<SslContext> tls;

  /**
   * Makes what all channels share.
   *
   * @throws IllegalArgumentException if the trusted certificates can't be used
   */
  Channels(TransportOptions options, ByteBufAllocator allocator, Executor blocking) {
    this.options = options;
    this.allocator = allocator;
    this.blocking = blocking;
    this.tls = options.plaintext() ? Optional.empty() : Optional.of(newTls(options));
  }

  /**
   * A channel whose connection lives on one loop.
   *
   * @param watcher told on the loop of each socket of the channel
   */
  ManagedChannel on(NettyLoop loop, SocketWatcher watcher) {
    NettyChannelBuilder builder = named();
    tune(builder);
    secure(builder);
    options.customizer().accept(builder);
    rely(builder, loop, watcher);
    return builder.build();
  }

  private NettyChannelBuilder named() {
    String host = options.host();
    return UnderscoreNames.isNeededFor(host)
        ? toUnderscore(
            new UnderscoreNames(host, options.port(), InetAddress::getAllByName, blocking))
        : NettyChannelBuilder.forAddress(host, options.port());
  }

  /**
   * By a way of its own: what is registered for all channels of a process is not ours to change.
   */
  @SuppressWarnings("deprecation") // There is no other way to set it for one channel.
  static NettyChannelBuilder toUnderscore(UnderscoreNames names) {
    return NettyChannelBuilder.forTarget(names.target()).nameResolverFactory(names);
  }

  /** What a customizer may change. */
  private void tune(NettyChannelBuilder builder) {
    builder
        .userAgent(options.userAgent())
        .flowControlWindow(options.flowControlWindowBytes())
        .maxInboundMessageSize(options.messageLimitBytes())
        // Sets the soft limit too: between that and the hard one gRPC refuses metadata by chance.
        .maxInboundMetadataSize(options.metadataLimitBytes());
    tuneReads(builder);
    options
        .keepAlive()
        .ifPresent(
            silence ->
                builder
                    .keepAliveTime(silence.toNanos(), TimeUnit.NANOSECONDS)
                    .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS));
  }

  /** Adaptive, since a small message would pin the whole of a large buffer while it is held. */
  @SuppressWarnings("deprecation") // Netty deprecates the option without another way to set it.
  private void tuneReads(NettyChannelBuilder builder) {
    int greatest = options.receiveBufferBytes();
    builder.withOption(
        ChannelOption.RCVBUF_ALLOCATOR,
        new AdaptiveRecvByteBufAllocator(
            Math.min(LEAST_READ_BYTES, greatest), Math.min(FIRST_READ_BYTES, greatest), greatest));
  }

  private void secure(NettyChannelBuilder builder) {
    if (tls.isPresent()) {
      builder.useTransportSecurity().sslContext(tls.get());
    } else {
      builder.usePlaintext();
    }
  }

  private static SslContext newTls(TransportOptions options) {
    SslContextBuilder builder = GrpcSslContexts.forClient();
    if (!options.trustedCertificates().isEmpty()) {
      builder.trustManager(options.trustedCertificates().toArray(new X509Certificate[0]));
    }
    try {
      return builder.build();
    } catch (SSLException unusable) {
      throw new IllegalArgumentException("the trusted certificates can't be used", unusable);
    }
  }

  private Channel newSocket(NettyLoop loop, SocketWatcher watcher) {
    Channel socket = EventLoops.newSocket();
    socket.pipeline().addLast(new SocketPulse(loop, watcher::born));
    socket.pipeline().addLast(new Http2Start(options.plaintext(), watcher::connected));
    return socket;
  }

  /**
   * What the rest of the library relies on, and no customizer changes. The layer for retries would
   * deliver from any thread and buffer requests; name look-ups and credentials would use threads of
   * gRPC's own that outlive the client.
   */
  private void rely(NettyChannelBuilder builder, NettyLoop loop, SocketWatcher watcher) {
    builder
        .eventLoopGroup(loop.eventLoop())
        .channelFactory(() -> newSocket(loop, watcher))
        .withOption(ChannelOption.ALLOCATOR, allocator)
        .directExecutor()
        .offloadExecutor(blocking)
        .disableRetry()
        .disableServiceConfigLookUp();
  }
}
