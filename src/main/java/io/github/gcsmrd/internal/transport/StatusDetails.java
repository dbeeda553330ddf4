// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.rpc.DebugInfo;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Help;
import com.google.rpc.LocalizedMessage;
import com.google.storage.v2.BidiReadObjectError;
import com.google.storage.v2.BidiReadObjectRedirectedError;
import com.google.storage.v2.ReadRangeError;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamEnd.Detail;
import io.github.gcsmrd.internal.stream.StreamEnd.NoDetail;
import io.github.gcsmrd.internal.stream.StreamEnd.RangeError;
import io.github.gcsmrd.internal.stream.StreamEnd.RangeErrors;
import io.github.gcsmrd.internal.stream.StreamEnd.Redirect;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The details of a status in {@code grpc-status-details-bin}. Immutable.
 *
 * <p>Details that can't be decoded never hide the status: they are told as text.
 *
 * @param known the first detail that changes what is done
 * @param others the rest, as text for people
 */
record StatusDetails(Detail known, List<String> others) {
  static final StatusDetails NONE = new StatusDetails(new NoDetail(), List.of());

  private static final Metadata.Key<byte[]> KEY =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  /** Details worth showing in full, by the name that ends their type URL. */
  private static final Map<String, Parser<? extends Message>> READABLE =
      Map.of(
          "google.rpc.ErrorInfo", ErrorInfo.parser(),
          "google.rpc.DebugInfo", DebugInfo.parser(),
          "google.rpc.Help", Help.parser(),
          "google.rpc.LocalizedMessage", LocalizedMessage.parser());

  /** Decodes what a server's trailers hold. */
  static StatusDetails in(Metadata trailers) {
    byte[] encoded = trailers.get(KEY);
    if (encoded == null) {
      return NONE;
    }
    List<Any> details;
    try {
      details = com.google.rpc.Status.parseFrom(encoded).getDetailsList();
    } catch (InvalidProtocolBufferException undecodable) {
      String text = "undecodable status details of " + encoded.length + " bytes";
      return new StatusDetails(new NoDetail(), List.of(text));
    }
    return sort(details);
  }

  private static StatusDetails sort(List<Any> details) {
    Detail known = null;
    List<String> others = new ArrayList<>();
    for (Any any : details) {
      Detail decoded = known == null ? decode(any) : null;
      if (decoded != null) {
        known = decoded;
      } else {
        others.add(describe(any));
      }
    }
    return new StatusDetails(known == null ? new NoDetail() : known, List.copyOf(others));
  }

  private static @Nullable Detail decode(Any any) {
    try {
      return switch (typeName(any)) {
        case "google.storage.v2.BidiReadObjectRedirectedError" ->
            redirect(BidiReadObjectRedirectedError.parseFrom(any.getValue()));
        case "google.storage.v2.BidiReadObjectError" ->
            rangeErrors(BidiReadObjectError.parseFrom(any.getValue()));
        default -> null;
      };
    } catch (InvalidProtocolBufferException undecodable) {
      return null;
    }
  }

  private static Redirect redirect(BidiReadObjectRedirectedError error) {
    ByteString handle = error.getReadHandle().getHandle();
    return new Redirect(
        error.hasRoutingToken() ? Optional.of(error.getRoutingToken()) : Optional.empty(),
        error.hasReadHandle() ? Optional.of(handle.toByteArray()) : Optional.empty());
  }

  private static RangeErrors rangeErrors(BidiReadObjectError error) {
    List<RangeError> errors = new ArrayList<>(error.getReadRangeErrorsCount());
    for (ReadRangeError range : error.getReadRangeErrorsList()) {
      com.google.rpc.Status status = range.getStatus();
      errors.add(
          new RangeError(
              range.getReadId(), StatusCode.ofValue(status.getCode()), status.getMessage()));
    }
    return new RangeErrors(List.copyOf(errors));
  }

  private static String describe(Any any) {
    String type = typeName(any);
    Parser<? extends Message> parser = READABLE.get(type);
    if (parser != null) {
      try {
        return type + "{" + parser.parseFrom(any.getValue()).toString().strip() + "}";
      } catch (InvalidProtocolBufferException undecodable) {
        return type + " (undecodable, " + any.getValue().size() + " bytes)";
      }
    }
    return type + " (" + any.getValue().size() + " bytes)";
  }

  /** What follows the last slash: the prefix before it is not part of the type's name. */
  private static String typeName(Any any) {
    String url = any.getTypeUrl();
    return url.substring(url.lastIndexOf('/') + 1);
  }
}
