// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import com.google.auth.Credentials;
import com.google.auth.oauth2.GoogleCredentials;
import io.grpc.CallCredentials;
import io.grpc.auth.MoreCallCredentials;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The credentials of a client: what its calls carry, and how they are renewed. Thread-safe.
 *
 * <p>Fetching, renewing and signing run on the blocking executor, never on an event loop.
 */
public final class TransportCredentials {
  private static final System.Logger LOG = System.getLogger(TransportCredentials.class.getName());

  /** The least that reading needs. */
  private static final String READ_SCOPE = "https://www.googleapis.com/auth/devstorage.read_only";

  private final Credentials credentials;
  private final Executor blocking;
  private final CallCredentials callCredentials;

  TransportCredentials(Credentials given, Executor blocking) {
    // Without a scope, gRPC's adapter would swap a service account for a private copy that a
    // refresh of the original does not reach.
    this.credentials =
        given instanceof GoogleCredentials google && google.createScopedRequired()
            ? google.createScoped(List.of(READ_SCOPE))
            : given;
    this.blocking = blocking;
    this.callCredentials =
        new OffLoopCallCredentials(MoreCallCredentials.from(credentials), blocking);
  }

  CallCredentials callCredentials() {
    return callCredentials;
  }

  /**
   * Fetches a new token though the present one has not expired: the answer to a server that refuses
   * it. Returns at once; the work runs on the blocking executor.
   *
   * @return completed, on that executor, with true if the next call carries renewed credentials,
   *     and false if they can't be renewed; never exceptionally
   */
  public CompletableFuture<Boolean> refresh() {
    CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
    try {
      blocking.execute(() -> refreshed.complete(refreshNow()));
    } catch (RuntimeException | Error closed) {
      refreshed.complete(false);
    }
    return refreshed;
  }

  private boolean refreshNow() {
    try {
      credentials.refresh();
      return true;
    } catch (IOException | RuntimeException | Error failure) {
      LOG.log(Level.WARNING, "credentials could not be renewed", failure);
      return false;
    }
  }
}
