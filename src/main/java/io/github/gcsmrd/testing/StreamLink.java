// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.BidiReadObjectResponse;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.Connections.HttpStream;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;

/**
 * The way of one stream to its client: the gRPC call, and the connection below it. Confined to the
 * stream's executor.
 */
final class StreamLink {
  private final ServerCall<BidiReadObjectRequest, Wire.Response> call;
  private final HttpStream http;
  private boolean headersSent;
  private int readingStops;
  private int owedRequests;

  StreamLink(ServerCall<BidiReadObjectRequest, Wire.Response> call, HttpStream http) {
    this.call = call;
    this.http = http;
  }

  boolean isReady() {
    return call.isReady();
  }

  void send(BidiReadObjectResponse response) {
    send(new Wire.Proper(response));
  }

  /** Serializes a response before it returns. */
  void send(Wire.Response response) {
    if (!headersSent) {
      headersSent = true;
      call.sendHeaders(new Metadata());
    }
    call.sendMessage(response);
  }

  void end(StatusCode code, String message, StatusDetails details) {
    Status status = Status.fromCodeValue(code.value());
    call.close(
        message.isEmpty() ? status : status.withDescription(message),
        Trailers.of(code, message, details));
  }

  void reset(int errorCode) {
    http.connection().reset(http.id(), errorCode);
  }

  Connection connection() {
    return http.connection();
  }

  void schedule(Runnable task, Duration delay) {
    http.connection().schedule(task, delay);
  }

  /** Asks gRPC for the next message, now or once reading goes on. */
  void requestNext() {
    if (readingStops > 0) {
      owedRequests++;
    } else {
      call.request(1);
    }
  }

  void stopReading() {
    readingStops++;
  }

  void goOnReading() {
    readingStops--;
    if (readingStops == 0 && owedRequests > 0) {
      call.request(owedRequests);
      owedRequests = 0;
    }
  }
}
