// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.MalformedResponse;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.Response;
import io.github.gcsmrd.internal.wire.ResponseParser;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns gRPC's message into a {@link Response} in place: takes the received buffers away from gRPC
 * and has them parsed where they are. Thread-safe; the array that collects the fragments is reused
 * on the connection's loop, where nearly all messages arrive.
 *
 * <p>It never throws, since gRPC would cancel the call with a status that looks transient: what
 * can't be read becomes a {@link MalformedResponse}.
 */
final class ResponseMarshaller implements MethodDescriptor.Marshaller<Response> {
  /** A message of 2 MiB comes in 130 to 154 fragments. */
  private static final int USUAL_FRAGMENTS = 192;

  /** Takes the place of fragments in the reused array, which must not keep their memory. */
  private static final ByteBuffer NO_FRAGMENT = ByteBuffer.allocate(0);

  private final Loop loop;
  private final HoldLimit limit;
  private ByteBuffer[] scratch = new ByteBuffer[USUAL_FRAGMENTS];
  private boolean scratchInUse;

  ResponseMarshaller(Loop loop, HoldLimit limit) {
    this.loop = loop;
    this.limit = limit;
  }

  @Override
  public InputStream stream(Response response) {
    throw new UnsupportedOperationException("a client sends no responses");
  }

  @Override
  public Response parse(InputStream message) {
    InputStream owned = detach(message);
    if (owned == null) {
      return parseCopy(message);
    }
    int length = -1;
    try {
      length = owned.available();
    } catch (IOException unreadable) {
      return malformed(owned, unreadable);
    }
    if (!loop.inLoop() || scratchInUse) {
      return parseInPlace(owned, length, new ByteBuffer[USUAL_FRAGMENTS], false);
    }
    scratchInUse = true;
    try {
      return parseInPlace(owned, length, scratch, true);
    } finally {
      scratchInUse = false;
    }
  }

  /** Takes the buffers over, or returns null if this stream keeps them to itself. */
  private static @Nullable InputStream detach(InputStream message) {
    if (message instanceof Detachable detachable
        && message instanceof KnownLength
        && message.markSupported()
        && message instanceof HasByteBuffer buffers
        && buffers.byteBufferSupported()) {
      return detachable.detach();
    }
    return null;
  }

  private Response parseInPlace(
      InputStream owned, int length, ByteBuffer[] into, boolean intoScratch) {
    ByteBuffer[] fragments = into;
    int count = 0;
    try {
      // Without the mark, skipping over a fragment would free it.
      owned.mark(length);
      int left = length;
      while (left > 0) {
        ByteBuffer fragment = ((HasByteBuffer) owned).getByteBuffer();
        if (fragment == null || !fragment.hasRemaining()) {
          throw new IOException("a fragment is missing");
        }
        int size = fragment.remaining();
        if (owned.skip(size) != size) {
          throw new IOException("a fragment could not be passed over");
        }
        if (count == fragments.length) {
          fragments = Arrays.copyOf(fragments, 2 * count);
        }
        fragments[count++] = fragment;
        left -= size;
      }
    } catch (IOException | RuntimeException unreadable) {
      return malformed(owned, unreadable);
    }
    MessageMemory memory = new MessageMemory(length, () -> release(owned), limit);
    Response response = ResponseParser.parse(fragments, count, memory);
    if (intoScratch) {
      Arrays.fill(fragments, 0, count, NO_FRAGMENT);
      scratch = fragments;
    }
    return response;
  }

  /** The way for streams of other transports and for compressed messages: copies once. */
  private static Response parseCopy(InputStream message) {
    try {
      byte[] bytes = message.readAllBytes();
      ByteBuffer[] fragments = {ByteBuffer.wrap(bytes)};
      return ResponseParser.parse(
          fragments, bytes.length == 0 ? 0 : 1, MessageMemory.ofCopy(bytes.length));
    } catch (IOException | RuntimeException unreadable) {
      return new MalformedResponse("the message could not be read: " + unreadable);
    }
  }

  private static Response malformed(InputStream owned, Exception why) {
    release(owned);
    return new MalformedResponse("the message could not be read: " + why);
  }

  /** Closing is not thread-safe, and need not be: the memory's last release calls it once. */
  private static void release(InputStream owned) {
    try {
      owned.close();
    } catch (IOException impossible) {
      throw new IllegalStateException("received buffers could not be released", impossible);
    }
  }
}
