// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import com.google.storage.v2.BidiReadObjectRequest;
import io.github.gcsmrd.testing.Connections.HttpStream;
import io.github.gcsmrd.testing.ServerState.LiveStream;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerStreamTracer;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes calls from gRPC and hands all that happens on them to their engines. Thread-safe: gRPC
 * calls from event loops, the engines run on their own executors.
 */
final class CallHandler implements ServerCallHandler<BidiReadObjectRequest, Wire.Response> {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<HttpStream> HTTP_STREAM = Context.key("http-stream");
  private static final int SEND_BUFFER_BYTES = 1 << 20;

  private final ServerState server;

  CallHandler(ServerState server) {
    this.server = server;
  }

  /** Finds out, while the headers are handled, which HTTP/2 stream a call is. */
  ServerStreamTracer.Factory tracers() {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        HttpStream stream = server.connections.claimNewStream();
        return new ServerStreamTracer() {
          @Override
          public Context filterContext(Context context) {
            return stream == null ? context : context.withValue(HTTP_STREAM, stream);
          }
        };
      }
    };
  }

  @Override
  public ServerCall.Listener<BidiReadObjectRequest> startCall(
      ServerCall<BidiReadObjectRequest, Wire.Response> call, Metadata headers) {
    HttpStream stream = HTTP_STREAM.get();
    if (stream == null) {
      throw new IllegalStateException("a call without a stream of HTTP/2");
    }
    call.setOnReadyThreshold(SEND_BUFFER_BYTES);
    SerialExecutor executor = new SerialExecutor(server.executor);
    StreamEngine engine = register(new StreamLink(call, stream), executor, call, headers);
    Listener listener = new Listener(engine, executor, stream);
    Optional<String> authorization = Optional.ofNullable(headers.get(AUTHORIZATION));
    listener.later(() -> engine.start(authorization));
    return listener;
  }

  /** Makes the stream known to all at once: whoever sees its record can act on it. */
  private StreamEngine register(
      StreamLink link, SerialExecutor executor, ServerCall<?, ?> call, Metadata headers) {
    @Nullable String authority = call.getAuthority();
    synchronized (server.traffic) {
      StreamLog log =
          server.traffic.stream(
              link.connection().ordinal(),
              authority == null ? "" : authority,
              Requests.headers(headers));
      StreamEngine engine = new StreamEngine(server, link, log, executor);
      executor.onFailure(engine::fail);
      server.live.put(log.ordinal(), new LiveStream(executor, engine));
      return engine;
    }
  }

  /** Passes on what happens to a call, after the server's latency. */
  private final class Listener extends ServerCall.Listener<BidiReadObjectRequest> {
    private final StreamEngine engine;
    private final Executor executor;
    private final HttpStream stream;

    Listener(StreamEngine engine, Executor executor, HttpStream stream) {
      this.engine = engine;
      this.executor = executor;
      this.stream = stream;
    }

    @Override
    public void onMessage(BidiReadObjectRequest request) {
      later(() -> engine.onMessage(request));
    }

    @Override
    public void onHalfClose() {
      later(engine::onHalfClose);
    }

    @Override
    public void onCancel() {
      executor.execute(engine::onCancel);
    }

    @Override
    public void onReady() {
      executor.execute(engine::pump);
    }

    void later(Runnable task) {
      if (server.latency.isZero()) {
        executor.execute(task);
      } else {
        stream.connection().schedule(() -> executor.execute(task), server.latency);
      }
    }
  }
}
