// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a channel is told not to do; each test fails if gRPC's default comes back. */
class ChannelsTest {
  private static final int REFUSED_STREAM = 7;

  private static final RawServer.Handler SILENT =
      (call, headers) -> {
        call.sendHeaders(new Metadata());
        return RawServer.ignore();
      };

  /** gRPC's layer for retries would open a refused stream again without a word. */
  @Test
  void aRefusedStreamIsToldAndNotOpenedAgain() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        TransportFixture fixture = new TransportFixture(server.port())) {
      server.onStream(1, StreamScript.at(When.called(), StreamAction.reset(REFUSED_STREAM)));
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      assertEquals(StatusCode.UNAVAILABLE, end.code());
      assertEquals(Origin.TRANSPORT, end.origin());
      assertEquals(1, server.streams().size());
    }
  }

  /** gRPC's own threads for it would outlive the client. */
  @Test
  void namesAreLookedUpByTheClientsExecutor() throws Exception {
    CountDownLatch lookedUp = new CountDownLatch(1);
    TransportOptions options =
        TransportOptions.builder().endpoint("localhost", 1).plaintext(true).build();
    EventLoops loops = new EventLoops(1);
    Executor executor =
        task -> {
          task.run();
          lookedUp.countDown();
        };
    ManagedChannel channel =
        new Channels(options, ReceiveMemory.newAllocator(1), executor)
            .on(loops.loop(0), new IgnoringWatcher());
    try {
      assertEquals(ConnectivityState.IDLE, channel.getState(true));
      assertTrue(lookedUp.await(10, TimeUnit.SECONDS), "somebody else looks it up");
    } finally {
      channel.shutdownNow();
      assertTrue(channel.awaitTermination(10, TimeUnit.SECONDS));
      assertTrue(loops.shutdown(TimeUnit.SECONDS.toNanos(10)));
    }
  }

  private static final class IgnoringWatcher implements SocketWatcher {
    @Override
    public void born(SocketPulse pulse) {}

    @Override
    public void connected(Channel socket, Http2Connection http2) {}
  }

  /** A look-up may bring settings for calls, such as a deadline for all of them. */
  @Test
  void settingsFromALookUpAreNotTaken() throws Exception {
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture =
            new TransportFixture(
                server.port(),
                options -> options.customizer(channel -> resolve(channel, server.port())))) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      listener.awaitReady();
      Metadata.Key<String> timeout =
          Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);
      assertNull(server.nextHeaders().get(timeout));
    }
  }

  @SuppressWarnings("deprecation") // The other way is a registry for all channels of the JVM.
  private static void resolve(NettyChannelBuilder channel, int port) {
    channel.nameResolverFactory(new WithDeadlines(port));
  }

  /** Between a soft limit, four fifths by default, and the hard one three of four would fail. */
  @Test
  void trailersUnderTheLimitAreNeverRefusedByChance() {
    int limit = 8192;
    int bytes = (limit * 19 / 20 - 500) * 3 / 4;
    RawServer.Handler closing =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          Metadata trailers = new Metadata();
          trailers.put(
              Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER),
              new byte[bytes]);
          call.close(Status.ABORTED, trailers);
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(closing);
        TransportFixture fixture =
            new TransportFixture(server.port(), options -> options.metadataLimitBytes(limit))) {
      for (int i = 0; i < 30; i++) {
        RecordingListener listener = fixture.listener();
        fixture.open(listener, 1);
        StreamEnd end = listener.awaitEnd();
        assertEquals(Origin.SERVER, end.origin(), end.toString());
        assertEquals(StatusCode.ABORTED, end.code());
      }
    }
  }

  /** Finds the server, and a deadline for each call to it. */
  private static final class WithDeadlines extends NameResolver.Factory {
    private final int port;

    WithDeadlines(int port) {
      this.port = port;
    }

    @Override
    public String getDefaultScheme() {
      return "test";
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args args) {
      return new NameResolver() {
        @Override
        public String getServiceAuthority() {
          return "localhost";
        }

        @Override
        public void start(Listener2 listener) {
          listener.onResult(
              ResolutionResult.newBuilder()
                  .setAddressesOrError(
                      StatusOr.fromValue(
                          List.of(
                              new EquivalentAddressGroup(
                                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))))
                  .setServiceConfig(
                      args.getServiceConfigParser()
                          .parseServiceConfig(
                              Map.of(
                                  "methodConfig",
                                  List.of(Map.of("name", List.of(Map.of()), "timeout", "100s")))))
                  .build());
        }

        @Override
        public void shutdown() {}
      };
    }
  }
}
