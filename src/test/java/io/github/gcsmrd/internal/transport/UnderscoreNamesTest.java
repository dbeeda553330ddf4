// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With real channels, since what they do with a name is gRPC's affair. */
@Timeout(60)
class UnderscoreNamesTest {
  private final ExecutorService blocking = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    blocking.shutdownNow();
  }

  private NettyChannelBuilder builder(int port, UnderscoreNames.Lookup lookup) {
    return Channels.toUnderscore(new UnderscoreNames("a_host", port, lookup, blocking))
        .usePlaintext();
  }

  /** The first state in which connecting ends. */
  private static ConnectivityState outcome(ManagedChannel channel) throws Exception {
    CompletableFuture<ConnectivityState> ended = new CompletableFuture<>();
    watch(channel, ended);
    return ended.get(30, TimeUnit.SECONDS);
  }

  private static void watch(ManagedChannel channel, CompletableFuture<ConnectivityState> ended) {
    ConnectivityState now = channel.getState(true);
    if (now == ConnectivityState.READY || now == ConnectivityState.TRANSIENT_FAILURE) {
      ended.complete(now);
    } else {
      channel.notifyWhenStateChanged(now, () -> watch(channel, ended));
    }
  }

  @Test
  void connectsToTheAddressesOfTheName() throws Exception {
    try (RawServer server = RawServer.start((call, headers) -> RawServer.ignore())) {
      ManagedChannel channel =
          builder(
                  server.port(),
                  host -> {
                    assertEquals("a_host", host);
                    return new InetAddress[] {InetAddress.getByName("127.0.0.1")};
                  })
              .build();
      try {
        assertEquals("a_host:" + server.port(), channel.authority());
        assertEquals(ConnectivityState.READY, outcome(channel));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void aNameThatNobodyKnowsFailsTheConnection() throws Exception {
    ManagedChannel channel =
        builder(
                1,
                host -> {
                  throw new UnknownHostException(host);
                })
            .build();
    try {
      assertEquals(ConnectivityState.TRANSIENT_FAILURE, outcome(channel));
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void otherNamesAreLeftToGrpc() {
    assertTrue(UnderscoreNames.isNeededFor("fake_gcs"));
    assertFalse(UnderscoreNames.isNeededFor("storage.googleapis.com"));
  }
}
