// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The gRPC server with its event loops. Thread-safe. */
final class GrpcServer {
  /** Far above the usual 8 KiB, since nothing says how long a routing token may be. */
  private static final int MAX_INBOUND_METADATA_BYTES = 1 << 20;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final long CLOSE_SECONDS = 5;

  private final TrackedThreads threads = new TrackedThreads("fake-gcs-loop");
  private final EventLoopGroup loops;
  private final Server server;
  private final int port;

  /**
   * Starts the server.
   *
   * @throws IOException if the port can't be had
   */
  GrpcServer(FakeGcsBuilder settings, ServerState state, Optional<SelfSigned> identity)
      throws IOException {
    loops =
        new MultiThreadIoEventLoopGroup(settings.eventLoops, threads, NioIoHandler.newFactory());
    boolean started = false;
    try {
      server = build(settings, state, identity).build().start();
      port = server.getPort();
      started = true;
    } finally {
      if (!started) {
        shutDownLoops();
      }
    }
  }

  private NettyServerBuilder build(
      FakeGcsBuilder settings, ServerState state, Optional<SelfSigned> identity)
      throws IOException {
    CallHandler handler = new CallHandler(state);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), settings.port))
            .channelFactory(() -> new ListeningChannel(state.connections))
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .directExecutor()
            .maxInboundMetadataSize(MAX_INBOUND_METADATA_BYTES)
            .addStreamTracerFactory(handler.tracers())
            .addService(
                ServerServiceDefinition.builder(Wire.SERVICE)
                    .addMethod(Wire.METHOD, handler)
                    .build());
    if (identity.isPresent()) {
      builder.sslContext(sslContext(identity.get()));
    }
    settings.maxConcurrentStreams.ifPresent(builder::maxConcurrentCallsPerConnection);
    settings.maxInboundMessageBytes.ifPresent(builder::maxInboundMessageSize);
    settings.flowControlWindowBytes.ifPresent(builder::flowControlWindow);
    settings.maxConnectionAge.ifPresent(
        age ->
            builder
                .maxConnectionAge(age.toNanos(), TimeUnit.NANOSECONDS)
                .maxConnectionAgeGrace(
                    settings.maxConnectionAgeGrace.toNanos(), TimeUnit.NANOSECONDS));
    return builder;
  }

  /** The JDK's TLS: no native library is loaded for a test. */
  private static SslContext sslContext(SelfSigned identity) throws IOException {
    return GrpcSslContexts.configure(
            SslContextBuilder.forServer(identity.privateKey(), identity.certificate()),
            SslProvider.JDK)
        .build();
  }

  /** The port, which stays readable after the close. */
  int port() {
    return port;
  }

  /** Cuts all streams and connections; the loops still run. */
  void cut() throws InterruptedException {
    server.shutdownNow();
    server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Ends the loops of a server that was cut, once nobody answers any more: a frame that is handed
   * to a loop after its last turn would never be released.
   */
  void close() throws InterruptedException {
    shutDownLoops();
    threads.join(Duration.ofSeconds(CLOSE_SECONDS));
  }

  private void shutDownLoops() {
    Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** A listening socket that registers each connection before anything is read from it. */
  private static final class ListeningChannel extends NioServerSocketChannel {
    private final Connections connections;

    ListeningChannel(Connections connections) {
      this.connections = connections;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
      int count = super.doReadMessages(accepted);
      if (count > 0) {
        connections.add((Channel) accepted.get(accepted.size() - 1));
      }
      return count;
    }
  }
}
