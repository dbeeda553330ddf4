// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A real gRPC server on loopback that hands each call to the test. Thread-safe. */
final class RawServer implements AutoCloseable {
  /** What to do with a call; its listener gets the requests. */
  interface Handler extends ServerCallHandler<byte[], byte[]> {}

  final BlockingQueue<Metadata> headers = new LinkedBlockingQueue<>();
  final Set<SocketAddress> clients = ConcurrentHashMap.newKeySet();
  private final Server server;

  private RawServer(Server server) {
    this.server = server;
  }

  static RawServer start(Handler handler) {
    return start(0, builder -> {}, handler);
  }

  static RawServer start(int port, Consumer<NettyServerBuilder> settings, Handler handler) {
    Holder holder = new Holder();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .maxInboundMetadataSize(1 << 20)
            .addService(service(holder, handler));
    settings.accept(builder);
    Server built = builder.build();
    holder.set(new RawServer(built));
    try {
      built.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return holder.server();
  }

  private static ServerServiceDefinition service(Holder holder, Handler handler) {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("google.storage.v2.Storage/BidiReadObject")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    ServerCallHandler<byte[], byte[]> recording =
        (call, headers) -> {
          holder.server().headers.add(headers);
          holder.server().clients.add(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
          return handler.startCall(call, headers);
        };
    return ServerServiceDefinition.builder("google.storage.v2.Storage")
        .addMethod(ServerMethodDefinition.create(method, recording))
        .build();
  }

  int port() {
    return server.getPort();
  }

  Metadata nextHeaders() throws InterruptedException {
    Metadata next = headers.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no call reached the server");
    }
    return next;
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      if (!server.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A listener that does nothing. */
  static ServerCall.Listener<byte[]> ignore() {
    return new ServerCall.Listener<>() {};
  }

  /** Hands the server to handlers that are made before it. */
  private static final class Holder {
    private volatile RawServer server;

    void set(RawServer value) {
      server = value;
    }

    RawServer server() {
      return server;
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
