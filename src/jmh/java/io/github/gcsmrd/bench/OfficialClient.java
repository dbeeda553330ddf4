// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.bench;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.NoCredentials;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobReadSession;
import com.google.cloud.storage.RangeSpec;
import com.google.cloud.storage.ReadProjectionConfigs;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageOptions;
import com.google.cloud.storage.ZeroCopySupport.DisposableByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The official client, {@code BlobReadSession} over gRPC: into arrays ({@code asFutureBytes}) where
 * others read into buffers, and as views ({@code asFutureByteString}).
 */
final class OfficialClient implements Competitor {
  private static final Executor SAME_THREAD = Runnable::run;

  private final Storage storage;
  private final List<BlobReadSession> sessions = new ArrayList<>();

  OfficialClient(String endpoint, int streams) throws Exception {
    storage =
        StorageOptions.grpc()
            .setHost(endpoint)
            .setCredentials(NoCredentials.getInstance())
            .setProjectId("project")
            .setAttemptDirectPath(false)
            .setEnableGrpcClientMetrics(false)
            .build()
            .getService();
    for (int i = 0; i < streams; i++) {
      sessions.add(storage.blobReadSession(BlobId.of("bucket", "object")).get());
    }
  }

  @Override
  public String name() {
    return "official";
  }

  @Override
  public String loopThreads() {
    return "grpc-default-worker-ELG";
  }

  @Override
  public CompletableFuture<Long> read(
      int stream, long offset, int rangeBytes, int ranges, Delivery delivery) {
    BlobReadSession session = sessions.get(stream);
    CompletableFuture<Long> total = CompletableFuture.completedFuture(0L);
    for (int i = 0; i < ranges; i++) {
      RangeSpec range = RangeSpec.of(offset + (long) i * rangeBytes, rangeBytes);
      CompletableFuture<Long> one =
          switch (delivery) {
            case BUFFERS ->
                completable(
                        session.readAs(ReadProjectionConfigs.asFutureBytes().withRangeSpec(range)))
                    .thenApply(bytes -> (long) bytes.length);
            case VIEWS ->
                completable(
                        session.readAs(
                            ReadProjectionConfigs.asFutureByteString().withRangeSpec(range)))
                    .thenApply(OfficialClient::lengthOf);
          };
      total = total.thenCombine(one, Long::sum);
    }
    // Not on the client's own thread: what follows asks for more.
    return total.thenApplyAsync(bytes -> bytes);
  }

  private static long lengthOf(DisposableByteString bytes) {
    try (bytes) {
      return bytes.byteString().size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> CompletableFuture<T> completable(ApiFuture<T> future) {
    CompletableFuture<T> result = new CompletableFuture<>();
    ApiFutures.addCallback(
        future,
        new ApiFutureCallback<T>() {
          @Override
          public void onFailure(Throwable failure) {
            result.completeExceptionally(failure);
          }

          @Override
          public void onSuccess(T value) {
            result.complete(value);
          }
        },
        SAME_THREAD);
    return result;
  }

  @Override
  public long heldBytes() {
    return 0;
  }

  @Override
  public void close() {
    try {
      storage.close();
    } catch (Exception e) {
      throw new IllegalStateException("the official client did not close", e);
    }
  }
}
