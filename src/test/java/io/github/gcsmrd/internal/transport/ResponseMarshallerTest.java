// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectResponse;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.MalformedResponse;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import io.github.gcsmrd.internal.wire.Response;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.Metadata;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResponseMarshallerTest {

  private static RawServer.Handler sending(boolean compressed, byte[]... messages) {
    return (call, headers) -> {
      if (compressed) {
        call.setCompression("gzip");
      }
      call.sendHeaders(new Metadata());
      call.setMessageCompression(compressed);
      for (byte[] message : messages) {
        call.sendMessage(message);
      }
      return RawServer.ignore();
    };
  }

  /** Compares each byte with what protobuf's own parser finds. */
  private static void assertSameContent(byte[] sent, Response response) throws IOException {
    ReceivedMessage message = assertInstanceOf(ReceivedMessage.class, response);
    byte[] expected =
        BidiReadObjectResponse.parseFrom(sent)
            .getObjectDataRanges(0)
            .getChecksummedData()
            .getContent()
            .toByteArray();
    Content content = message.range(0).content();
    assertArrayEquals(expected, content.toByteArray(0, content.length()));
  }

  @Test
  void messagesOfAnySizeAreParsedOverTheReceivedBuffers() throws Exception {
    byte[][] sent = {
      TransportFixture.response(1, 1),
      TransportFixture.response(2, 2 << 20),
      TransportFixture.response(3, 7 << 20),
      TransportFixture.response(4, 5000)
    };
    try (RawServer server = RawServer.start(sending(false, sent));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, sent.length);
      for (byte[] message : sent) {
        Response response = listener.awaitResponse();
        assertSameContent(message, response);
        response.close();
      }
    }
  }

  /** Reads of 1 KiB make far more fragments than the array that is kept for them has room for. */
  @Test
  void thousandsOfFragmentsAreCollected() throws Exception {
    byte[] sent = TransportFixture.response(1, 2 << 20);
    try (RawServer server = RawServer.start(sending(false, sent, sent));
        TransportFixture fixture =
            new TransportFixture(server.port(), options -> options.receiveBufferBytes(1024))) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 2);
      for (int i = 0; i < 2; i++) {
        Response response = listener.awaitResponse();
        assertSameContent(sent, response);
        response.close();
      }
    }
  }

  @Test
  void anEmptyMessageIsASignOfLife() {
    try (RawServer server = RawServer.start(sending(false, new byte[0]));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      Response response = listener.awaitResponse();
      assertEquals(0, assertInstanceOf(ReceivedMessage.class, response).rangeCount());
      response.close();
    }
  }

  @Test
  void compressedMessagesAreCopied() throws Exception {
    byte[] sent = TransportFixture.response(1, 100_000);
    try (RawServer server = RawServer.start(sending(true, sent));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      Response response = listener.awaitResponse();
      TransportFixture.awaitThat(
          "nothing of gRPC's is held", () -> fixture.transport.pinnedDirectBytes() == 0);
      assertSameContent(sent, response);
      response.close();
    }
  }

  @Test
  void malformedMessagesArriveAsSuchWithTheirBuffersReleased() throws Exception {
    byte[] truncated = {50, 127, 1, 2, 3};
    byte[] good = TransportFixture.response(1, 10);
    try (RawServer server = RawServer.start(sending(false, truncated, good));
        TransportFixture fixture = new TransportFixture(server.port())) {
      RecordingListener listener = fixture.listener();
      StreamCall call = fixture.open(listener, 2);
      Response bad = listener.awaitResponse();
      assertInstanceOf(MalformedResponse.class, bad);
      bad.close();
      Response next = listener.awaitResponse();
      assertSameContent(good, next);
      next.close();
      fixture.run(listener, () -> call.cancel("done"));
    }
  }

  private static ResponseMarshaller marshaller(TransportFixture fixture) {
    return new ResponseMarshaller(fixture.loop(), new HoldLimit(Long.MAX_VALUE, () -> 0));
  }

  @Test
  void otherStreamsAreCopiedAndOnesThatThrowAreMalformed() throws Exception {
    try (TransportFixture fixture = new TransportFixture(1)) {
      byte[] sent = TransportFixture.response(1, 1000);
      Response copied = marshaller(fixture).parse(new ByteArrayInputStream(sent));
      assertSameContent(sent, copied);
      copied.close();
      Response broken =
          marshaller(fixture)
              .parse(
                  new InputStream() {
                    @Override
                    public int read() throws IOException {
                      throw new IOException("on purpose");
                    }
                  });
      MalformedResponse malformed = assertInstanceOf(MalformedResponse.class, broken);
      assertTrue(malformed.reason().contains("on purpose"), malformed.reason());
    }
  }

  /** A stream like gRPC's, over one buffer, with a fault. */
  private static class FaultyStream extends ByteArrayInputStream
      implements Detachable, HasByteBuffer, KnownLength {
    int closed;

    FaultyStream(byte[] bytes) {
      super(bytes);
    }

    @Override
    public InputStream detach() {
      return this;
    }

    @Override
    public boolean byteBufferSupported() {
      return true;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
      return ByteBuffer.wrap(buf, pos, count - pos).slice();
    }

    @Override
    public void close() {
      closed++;
    }
  }

  @Test
  void aDetachedStreamIsClosedOnceWhateverHappens() {
    try (TransportFixture fixture = new TransportFixture(1)) {
      byte[] sent = TransportFixture.response(1, 1000);
      FaultyStream sound = new FaultyStream(sent);
      Response response = marshaller(fixture).parse(sound);
      assertEquals(0, sound.closed);
      response.close();
      assertEquals(1, sound.closed);

      FaultyStream stuck =
          new FaultyStream(sent) {
            @Override
            public long skip(long n) {
              return 0;
            }
          };
      assertInstanceOf(MalformedResponse.class, marshaller(fixture).parse(stuck));
      assertEquals(1, stuck.closed);

      FaultyStream without =
          new FaultyStream(sent) {
            @Override
            public @Nullable ByteBuffer getByteBuffer() {
              return null;
            }
          };
      assertInstanceOf(MalformedResponse.class, marshaller(fixture).parse(without));
      assertEquals(1, without.closed);

      FaultyStream throwing =
          new FaultyStream(sent) {
            @Override
            public ByteBuffer getByteBuffer() {
              throw new IllegalStateException("on purpose");
            }
          };
      assertInstanceOf(MalformedResponse.class, marshaller(fixture).parse(throwing));
      assertEquals(1, throwing.closed);
    }
  }
}
