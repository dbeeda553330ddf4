// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.BidiReadObjectSpec;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.github.gcsmrd.internal.wire.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One call, seen from the server: what the client sent, and what the test answers. Responses wait
 * until the client asks for them, and the end waits for the responses, as with gRPC.
 */
public final class FakeCall implements StreamCall {
  private final FakeTransport transport;
  private final int index;
  private final StreamTransport.OpenRequest openRequest;
  private final StreamListener listener;
  private final List<BidiReadObjectRequest> requests = new ArrayList<>();
  private final List<ReadRange> ranges = new ArrayList<>();
  private final Set<Long> ids = new HashSet<>();
  private final ArrayDeque<Response> inbox = new ArrayDeque<>();
  private StreamEnd end;
  private boolean ready;
  private boolean halfClosed;
  private boolean over;
  private String cancelReason;
  private long silentNanos;
  private int demand;
  private boolean answered;

  FakeCall(
      FakeTransport transport,
      int index,
      StreamTransport.OpenRequest openRequest,
      StreamListener listener) {
    this.transport = transport;
    this.index = index;
    this.openRequest = openRequest;
    this.listener = listener;
  }

  @Override
  public void send(byte[] encodedRequest) {
    assertTrue(transport.loop().inLoop(), "send off the loop");
    assertFalse(halfClosed, "sent after the half-close");
    if (over) {
      return;
    }
    BidiReadObjectRequest request;
    try {
      request = BidiReadObjectRequest.parseFrom(encodedRequest);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("undecodable request", e);
    }
    assertEquals(requests.isEmpty(), request.hasReadObjectSpec(), "spec in the first message only");
    assertTrue(request.getReadRangesCount() <= 100, "too many ranges in a message");
    transport.inspect(request);
    requests.add(request);
    for (ReadRange range : request.getReadRangesList()) {
      assertTrue(ids.add(range.getReadId()), () -> "read id twice: " + range);
      assertTrue(range.getReadLength() >= 0, () -> "negative length: " + range);
      ranges.add(range);
    }
  }

  @Override
  public boolean isReady() {
    return ready && !over;
  }

  @Override
  public void request(int count) {
    assertTrue(transport.loop().inLoop(), "request off the loop");
    assertTrue(count > 0, "request of " + count);
    demand += count;
    assertTrue(demand <= 32, "too many messages asked for: " + demand);
    transport.loop().execute(this::deliver);
  }

  @Override
  public void halfClose() {
    assertTrue(transport.loop().inLoop(), "half-close off the loop");
    assertFalse(halfClosed, "half-closed twice");
    halfClosed = true;
  }

  @Override
  public void cancel(String reason) {
    assertTrue(transport.loop().inLoop(), "cancel off the loop");
    if (over) {
      return;
    }
    cancelReason = reason;
    over = true;
    dropInbox();
    transport
        .loop()
        .execute(() -> listener.onEnd(status(StatusCode.CANCELLED, reason, Origin.LOCAL)));
  }

  @Override
  public void cancelSilent(String reason, long nanos) {
    if (!over) {
      silentNanos = nanos;
    }
    cancel(reason);
  }

  /** A lost connection: what was not asked for is gone. */
  void dropInbox() {
    for (Response response : inbox) {
      response.close();
    }
    inbox.clear();
  }

  /** On the loop: gives what was asked for, then the end. */
  private void deliver() {
    while (!over && demand > 0 && !inbox.isEmpty()) {
      demand--;
      answered = true;
      listener.onResponse(inbox.remove());
    }
    if (!over && end != null && inbox.isEmpty()) {
      over = true;
      listener.onEnd(end);
    }
  }

  void becomeReady() {
    if (!over) {
      ready = true;
      listener.onReady();
    }
  }

  /** The transport takes messages; runs the loop. */
  void makeReady() {
    transport.loop().run(this::becomeReady);
    transport.loop().runTasks();
  }

  /** The transport's buffer is full. */
  void makeBusy() {
    ready = false;
  }

  /** Sends a response; runs the loop. */
  public void answer(BidiReadObjectResponse response) {
    answer(transport.response(response));
  }

  public void answer(Response response) {
    if (over) {
      response.close();
      return;
    }
    inbox.add(response);
    transport.loop().run(this::deliver);
    transport.loop().runTasks();
  }

  /** Sends a response when the loop gets to it. */
  void post(Response response) {
    if (over) {
      response.close();
      return;
    }
    inbox.add(response);
    transport.loop().execute(this::deliver);
  }

  /** Ends the call when the loop gets to it. */
  void postEnd(StreamEnd streamEnd) {
    if (end == null) {
      end = streamEnd;
      transport.loop().execute(this::deliver);
    }
  }

  /** Whether the server has said its last. */
  boolean isEnding() {
    return over || end != null;
  }

  /** Whether the client has had a response of it, or will before anything that ends it now. */
  boolean willHaveAnswered() {
    return answered || !inbox.isEmpty();
  }

  /** Events that come though the call is over, as a transport with queued callbacks may bring. */
  void answerLate(BidiReadObjectResponse response) {
    transport.loop().run(() -> listener.onResponse(transport.response(response)));
    transport.loop().runTasks();
  }

  void endLate(StatusCode code) {
    transport.loop().run(() -> listener.onEnd(status(code, "late", Origin.SERVER)));
    transport.loop().runTasks();
  }

  /** Bytes of a response came, but no whole one. */
  void bytes() {
    if (!over) {
      transport.loop().run(listener::onBytes);
    }
  }

  public void end(StatusCode code) {
    end(status(code, "said the test", Origin.SERVER));
  }

  /** Ends the call after what was answered; runs the loop. */
  public void end(StreamEnd streamEnd) {
    end = streamEnd;
    transport.loop().run(this::deliver);
    transport.loop().runTasks();
  }

  void redirect(Optional<String> token, Optional<byte[]> handle) {
    end(withDetail(StatusCode.ABORTED, new StreamEnd.Redirect(token, handle)));
  }

  void rangeErrors(StatusCode code, StreamEnd.RangeError... errors) {
    end(withDetail(code, new StreamEnd.RangeErrors(List.of(errors))));
  }

  static StreamEnd withDetail(StatusCode code, StreamEnd.Detail detail) {
    return new StreamEnd(code, "with a detail", Origin.SERVER, detail, List.of(), null);
  }

  static StreamEnd status(StatusCode code, String description, Origin origin) {
    return new StreamEnd(code, description, origin, new StreamEnd.NoDetail(), List.of(), null);
  }

  StreamTransport.OpenRequest openRequest() {
    return openRequest;
  }

  List<BidiReadObjectRequest> requests() {
    return requests;
  }

  BidiReadObjectSpec spec() {
    return requests.get(0).getReadObjectSpec();
  }

  /** All ranges asked for on this call, in order. */
  public List<ReadRange> ranges() {
    return ranges;
  }

  public ReadRange range(int i) {
    return ranges.get(i);
  }

  boolean isHalfClosed() {
    return halfClosed;
  }

  /** Whether it ended, from either side. */
  public boolean isOver() {
    return over;
  }

  String cancelReason() {
    return cancelReason;
  }

  /** The silence it was cancelled for; 0 if it was not. */
  Duration silence() {
    return Duration.ofNanos(silentNanos);
  }

  /** How many messages the client waits for. */
  int demand() {
    return demand;
  }

  /** How many responses wait for the client. */
  int waiting() {
    return inbox.size();
  }

  @Override
  public String toString() {
    return "FakeCall[" + index + (over ? ", over" : "") + "]";
  }
}
