// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import io.github.gcsmrd.internal.wire.Fragments;
import io.github.gcsmrd.internal.wire.HoldLimit;
import io.github.gcsmrd.internal.wire.MessageMemory;
import io.github.gcsmrd.internal.wire.Response;
import io.github.gcsmrd.internal.wire.ResponseParser;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A connection whose server is the test. It counts the memory of each response it made, and
 * overwrites it when it is freed, so that a use after the release shows as wrong bytes.
 */
public final class FakeTransport implements StreamTransport {
  private static final byte POISON = (byte) 0xDD;

  private final FakeLoop loop;
  private final Random random;
  private final List<FakeCall> calls = new ArrayList<>();
  private final List<MessageMemory> memories = new ArrayList<>();
  private Consumer<BidiReadObjectRequest> inspector = request -> {};
  private boolean readyAtOnce = true;
  private HoldLimit limit;

  FakeTransport(FakeLoop loop, Random random) {
    this.loop = loop;
    this.random = random;
  }

  /** Whether a call is ready as soon as it is open, or when the test says so. */
  void readyAtOnce(boolean atOnce) {
    this.readyAtOnce = atOnce;
  }

  /** How many bytes of responses there may be for one of them to be held; by default any. */
  void limitBytes(long bytes) {
    limit(new HoldLimit(bytes, this::memoryBytes));
  }

  /** Sets who is asked whether a response may be held. */
  void limit(HoldLimit asked) {
    this.limit = asked;
  }

  /** The bytes of all responses that are not freed, those not taken by the session included. */
  private long memoryBytes() {
    long bytes = 0;
    for (MessageMemory memory : memories) {
      bytes += memory.references() > 0 ? memory.sizeBytes() : 0;
    }
    return bytes;
  }

  /** Sets who looks at each request when it is sent. */
  void inspector(Consumer<BidiReadObjectRequest> inspecting) {
    this.inspector = inspecting;
  }

  void inspect(BidiReadObjectRequest request) {
    inspector.accept(request);
  }

  @Override
  public FakeLoop loop() {
    return loop;
  }

  @Override
  public StreamCall open(OpenRequest request, StreamListener listener) {
    assertTrue(loop.inLoop(), "open off the loop");
    FakeCall call = new FakeCall(this, calls.size(), request, listener);
    calls.add(call);
    if (readyAtOnce) {
      loop.execute(call::becomeReady);
    }
    return call;
  }

  /** Encodes a response and parses it over fragments that chance cuts. */
  Response response(BidiReadObjectResponse message) {
    return response(message.toByteArray());
  }

  Response response(byte[] encoded) {
    ByteBuffer[] fragments =
        encoded.length < 4096
            ? Fragments.random(encoded, random)
            : Fragments.even(encoded, 1 + encoded.length / 3, random.nextBoolean());
    ByteBuffer[] kept = new ByteBuffer[fragments.length];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = fragments[i].duplicate();
    }
    MessageMemory memory = new MessageMemory(encoded.length, () -> poison(kept), limit);
    memories.add(memory);
    return ResponseParser.parse(fragments, fragments.length, memory);
  }

  private static void poison(ByteBuffer[] fragments) {
    for (ByteBuffer fragment : fragments) {
      byte[] poison = new byte[fragment.remaining()];
      Arrays.fill(poison, POISON);
      fragment.put(poison);
    }
  }

  /** All calls so far, oldest first. */
  List<FakeCall> calls() {
    return calls;
  }

  /** The newest call. */
  FakeCall call() {
    return calls.get(calls.size() - 1);
  }

  void assertCalls(int count) {
    assertEquals(count, calls.size(), "number of opens");
  }

  void assertNoMemoryHeld() {
    for (int i = 0; i < memories.size(); i++) {
      assertEquals(0, memories.get(i).references(), "references left of response " + i);
    }
  }

  int memoriesHeld() {
    int held = 0;
    for (MessageMemory memory : memories) {
      held += memory.references() > 0 ? 1 : 0;
    }
    return held;
  }
}
