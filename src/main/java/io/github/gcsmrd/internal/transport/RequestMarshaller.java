// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.MethodDescriptor;
import java.io.InputStream;

/** Passes encoded requests on to gRPC. Immutable and thread-safe. */
final class RequestMarshaller implements MethodDescriptor.Marshaller<byte[]> {

  @Override
  public InputStream stream(byte[] encodedRequest) {
    return new RequestStream(encodedRequest);
  }

  @Override
  public byte[] parse(InputStream stream) {
    throw new UnsupportedOperationException("a client parses no requests");
  }
}
