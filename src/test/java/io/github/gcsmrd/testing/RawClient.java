// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.BidiReadObjectSpec;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Opens raw streams on a {@link FakeGcs}, with nothing between the test and gRPC. Thread-safe. */
final class RawClient implements AutoCloseable {
  static final MethodDescriptor<BidiReadObjectRequest, BidiReadObjectResponse> METHOD =
      MethodDescriptor.<BidiReadObjectRequest, BidiReadObjectResponse>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("google.storage.v2.Storage/BidiReadObject")
          .setRequestMarshaller(ProtoUtils.marshaller(BidiReadObjectRequest.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(BidiReadObjectResponse.getDefaultInstance()))
          .build();

  private final ManagedChannel channel;

  RawClient(FakeGcs server) throws SSLException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress("localhost", server.port())
            .disableRetry()
            .maxInboundMessageSize(64 << 20)
            .maxInboundMetadataSize(4 << 20);
    if (server.certificate().isPresent()) {
      builder.sslContext(
          GrpcSslContexts.forClient().trustManager(server.certificate().get()).build());
    } else {
      builder.usePlaintext();
    }
    channel = builder.build();
  }

  static BidiReadObjectSpec spec(FakeObject object) {
    return BidiReadObjectSpec.newBuilder()
        .setBucket("projects/_/buckets/" + object.bucket())
        .setObject(object.name())
        .build();
  }

  /** Starts a call without a message. */
  RawStream call(Metadata headers) {
    return call(headers, Integer.MAX_VALUE);
  }

  /** Starts a call that asks for so many responses at first. */
  RawStream call(Metadata headers, int requested) {
    ClientCall<BidiReadObjectRequest, BidiReadObjectResponse> call =
        channel.newCall(METHOD, CallOptions.DEFAULT);
    RawStream stream = new RawStream(call);
    Context.ROOT.run(() -> call.start(stream.listener(), headers));
    call.request(requested);
    return stream;
  }

  /** Opens a stream whose first message has the spec and ranges. */
  RawStream open(FakeObject object, long... offsetLengthId) {
    return call(new Metadata()).send(spec(object), offsetLengthId);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
