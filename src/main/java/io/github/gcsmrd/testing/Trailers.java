// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Status;
import com.google.storage.v2.BidiReadObjectError;
import com.google.storage.v2.BidiReadObjectRedirectedError;
import com.google.storage.v2.ReadRangeError;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.StatusDetails.Detail;
import io.github.gcsmrd.testing.StatusDetails.Other;
import io.github.gcsmrd.testing.StatusDetails.Packed;
import io.github.gcsmrd.testing.StatusDetails.RangeError;
import io.github.gcsmrd.testing.StatusDetails.RangeErrors;
import io.github.gcsmrd.testing.StatusDetails.Raw;
import io.github.gcsmrd.testing.StatusDetails.Redirect;
import io.grpc.Metadata;

/** Encodes the details of a status. Stateless and thread-safe. */
final class Trailers {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private Trailers() {}

  static Metadata of(StatusCode code, String message, StatusDetails details) {
    Metadata trailers = new Metadata();
    if (details instanceof Raw raw) {
      trailers.put(DETAILS, raw.trailer().array());
    } else if (details instanceof Packed packed && !packed.details().isEmpty()) {
      Status.Builder status = Status.newBuilder().setCode(code.value()).setMessage(message);
      packed.details().forEach(detail -> status.addDetails(pack(detail)));
      trailers.put(DETAILS, status.build().toByteArray());
    }
    return trailers;
  }

  private static Any pack(Detail detail) {
    if (detail instanceof Redirect redirect) {
      BidiReadObjectRedirectedError.Builder error = BidiReadObjectRedirectedError.newBuilder();
      redirect.routingToken().ifPresent(error::setRoutingToken);
      redirect.readHandle().ifPresent(handle -> error.setReadHandle(Responses.handle(handle)));
      return Any.pack(error.build());
    }
    if (detail instanceof RangeErrors errors) {
      BidiReadObjectError.Builder error = BidiReadObjectError.newBuilder();
      errors.errors().forEach(each -> error.addReadRangeErrors(rangeError(each)));
      return Any.pack(error.build());
    }
    Other other = (Other) detail;
    return Any.newBuilder()
        .setTypeUrl(other.typeUrl())
        .setValue(ByteString.copyFrom(other.value().array()))
        .build();
  }

  private static ReadRangeError rangeError(RangeError error) {
    return ReadRangeError.newBuilder()
        .setReadId(error.readId())
        .setStatus(
            Status.newBuilder().setCode(error.code().value()).setMessage(error.message()).build())
        .build();
  }
}
