// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import java.io.ByteArrayInputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FlushAfterStreamsTest {
  private static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("google.storage.v2.Storage/BidiReadObject")
          .setRequestMarshaller(new NoBytes())
          .setResponseMarshaller(new NoBytes())
          .build();

  /** Nothing but the end of the first call happens on the connection. */
  @Test
  void aCallThatWaitedForRoomStartsOnAQuietConnection() throws Exception {
    RawServer.Handler silent =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          return RawServer.ignore();
        };
    EventLoops loops = new EventLoops(1);
    try (RawServer server =
        RawServer.start(0, builder -> builder.maxConcurrentCallsPerConnection(1), silent)) {
      TransportOptions options =
          TransportOptions.builder().endpoint("localhost", server.port()).plaintext(true).build();
      ManagedChannel channel =
          new Channels(options, ReceiveMemory.newAllocator(1), Runnable::run)
              .on(loops.loop(0), new Flushing());
      try {
        endOneAfterTheOther(channel);
      } finally {
        channel.shutdownNow();
        assertTrue(channel.awaitTermination(10, TimeUnit.SECONDS));
      }
    } finally {
      assertTrue(loops.shutdown(TimeUnit.SECONDS.toNanos(10)));
    }
  }

  private static final class Flushing implements SocketWatcher {
    @Override
    public void born(SocketPulse pulse) {}

    @Override
    public void connected(Channel socket, Http2Connection http2) {
      http2.addListener(new FlushAfterStreams(socket));
    }
  }

  private static void endOneAfterTheOther(ManagedChannel channel) throws InterruptedException {
    Call running = new Call(channel);
    assertTrue(running.ready.await(10, TimeUnit.SECONDS), "the first call is not ready");
    for (int i = 0; i < 30; i++) {
      Call queued = new Call(channel);
      assertFalse(queued.call.isReady(), "call " + i + " has room");
      running.call.cancel("make room", null);
      assertTrue(queued.ready.await(10, TimeUnit.SECONDS), "call " + i + " is not ready");
      running = queued;
    }
  }

  private static final class Call extends ClientCall.Listener<byte[]> {
    final CountDownLatch ready = new CountDownLatch(1);
    final ClientCall<byte[], byte[]> call;

    Call(ManagedChannel channel) {
      call = channel.newCall(METHOD, CallOptions.DEFAULT);
      call.start(this, new Metadata());
    }

    @Override
    public void onReady() {
      ready.countDown();
    }
  }

  private static final class NoBytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public ByteArrayInputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(java.io.InputStream stream) {
      return new byte[0];
    }
  }
}
