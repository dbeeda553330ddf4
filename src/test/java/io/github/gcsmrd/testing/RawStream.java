// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.BidiReadObjectSpec;
import com.google.storage.v2.ObjectRangeData;
import com.google.storage.v2.ReadRange;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One raw stream with all that came on it. Thread-safe but for the sending side. */
final class RawStream {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
  private static final long TIMEOUT_SECONDS = 10;

  private final ClientCall<BidiReadObjectRequest, BidiReadObjectResponse> call;
  private final BlockingQueue<BidiReadObjectResponse> responses = new LinkedBlockingQueue<>();
  private final CompletableFuture<End> end = new CompletableFuture<>();

  /** How the call ended, as the client saw it. */
  record End(Status status, Metadata trailers) {
    Status.Code code() {
      return status.getCode();
    }

    /** The first detail of a type. */
    <T extends Message> T detail(Class<T> type) throws InvalidProtocolBufferException {
      for (Any any : com.google.rpc.Status.parseFrom(rawDetails()).getDetailsList()) {
        if (any.is(type)) {
          return any.unpack(type);
        }
      }
      throw new AssertionError("no detail of " + type + " in " + trailers);
    }

    byte[] rawDetails() {
      byte[] details = trailers.get(DETAILS);
      if (details == null) {
        throw new AssertionError("no details in " + trailers);
      }
      return details;
    }

    boolean hasDetails() {
      return trailers.containsKey(DETAILS);
    }
  }

  RawStream(ClientCall<BidiReadObjectRequest, BidiReadObjectResponse> call) {
    this.call = call;
  }

  ClientCall.Listener<BidiReadObjectResponse> listener() {
    return new ClientCall.Listener<>() {
      @Override
      public void onMessage(BidiReadObjectResponse response) {
        responses.add(response);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        end.complete(new End(status, trailers));
      }
    };
  }

  RawStream send(BidiReadObjectSpec spec, long... offsetLengthId) {
    return send(ranges(offsetLengthId).toBuilder().setReadObjectSpec(spec).build());
  }

  RawStream send(long... offsetLengthId) {
    return send(ranges(offsetLengthId));
  }

  RawStream send(BidiReadObjectRequest request) {
    call.sendMessage(request);
    return this;
  }

  static BidiReadObjectRequest ranges(long... offsetLengthId) {
    BidiReadObjectRequest.Builder request = BidiReadObjectRequest.newBuilder();
    for (int i = 0; i < offsetLengthId.length; i += 3) {
      request.addReadRanges(
          ReadRange.newBuilder()
              .setReadOffset(offsetLengthId[i])
              .setReadLength(offsetLengthId[i + 1])
              .setReadId(offsetLengthId[i + 2]));
    }
    return request.build();
  }

  RawStream halfClose() {
    call.halfClose();
    return this;
  }

  void cancel() {
    call.cancel("test", null);
  }

  void request(int count) {
    call.request(count);
  }

  boolean isReady() {
    return call.isReady();
  }

  BidiReadObjectResponse next() throws InterruptedException {
    BidiReadObjectResponse response = responses.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (response == null) {
      throw new AssertionError("no response in time; end: " + end.getNow(null));
    }
    return response;
  }

  /** Waits for the end of the call. */
  End end() throws Exception {
    return end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  boolean hasEnded() {
    return end.isDone();
  }

  /** The responses not taken yet. */
  List<BidiReadObjectResponse> received() {
    return new ArrayList<>(responses);
  }

  /** The pieces of the responses not taken yet. */
  List<ObjectRangeData> pieces() {
    return received().stream().flatMap(r -> r.getObjectDataRangesList().stream()).toList();
  }

  /** The pieces of one range in the responses not taken yet. */
  List<ObjectRangeData> pieces(long readId) {
    return pieces().stream().filter(p -> p.getReadRange().getReadId() == readId).toList();
  }

  /** The bytes of one range in the responses not taken yet. */
  byte[] bytes(long readId) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    pieces(readId)
        .forEach(p -> bytes.writeBytes(p.getChecksummedData().getContent().toByteArray()));
    return bytes.toByteArray();
  }
}
