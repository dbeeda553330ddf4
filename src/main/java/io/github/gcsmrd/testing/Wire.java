// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.protobuf.ProtoUtils;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** The method that the server speaks. Stateless and thread-safe. */
final class Wire {
  static final String SERVICE = "google.storage.v2.Storage";

  static final MethodDescriptor<BidiReadObjectRequest, Response> METHOD =
      MethodDescriptor.<BidiReadObjectRequest, Response>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(SERVICE + "/BidiReadObject")
          .setRequestMarshaller(ProtoUtils.marshaller(BidiReadObjectRequest.getDefaultInstance()))
          .setResponseMarshaller(new ResponseMarshaller())
          .build();

  private Wire() {}

  /** What is sent as a response message. */
  sealed interface Response {}

  /** A proper message. */
  record Proper(BidiReadObjectResponse message) implements Response {}

  /** Any bytes. */
  record Raw(Bytes message) implements Response {}

  private static final class ResponseMarshaller implements Marshaller<Response> {
    private final Marshaller<BidiReadObjectResponse> proper =
        ProtoUtils.marshaller(BidiReadObjectResponse.getDefaultInstance());

    @Override
    public InputStream stream(Response value) {
      if (value instanceof Proper response) {
        return proper.stream(response.message());
      }
      return new ByteArrayInputStream(((Raw) value).message().array());
    }

    @Override
    public Response parse(InputStream stream) {
      return new Proper(proper.parse(stream));
    }
  }
}
