// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Call credentials whose work is done on the blocking executor. Thread-safe.
 *
 * <p>gRPC would hand over the channel's executor, which is the event loop, and even credentials
 * that need no network may sign with a private key. Credentials may also bring a user project of
 * their own: where the call names one, theirs is left out, so that the header is sent once. If they
 * bring a header that could end the connection for its other calls, their call fails instead.
 */
final class OffLoopCallCredentials extends CallCredentials {
  /** Set on calls whose own headers name the user project. */
  static final CallOptions.Key<Boolean> NAMES_USER_PROJECT =
      CallOptions.Key.createWithDefault("gcs-mrd-names-user-project", false);

  private final CallCredentials wrapped;
  private final Executor blocking;

  OffLoopCallCredentials(CallCredentials wrapped, Executor blocking) {
    this.wrapped = wrapped;
    this.blocking = blocking;
  }

  @Override
  public void applyRequestMetadata(RequestInfo request, Executor ignored, MetadataApplier applier) {
    boolean dropProject = request.getCallOptions().getOption(NAMES_USER_PROJECT);
    MetadataApplier target = new Checked(applier, dropProject);
    try {
      blocking.execute(() -> apply(request, target));
    } catch (RejectedExecutionException closed) {
      target.fail(Status.UNAVAILABLE.withDescription("the client is closed").withCause(closed));
    } catch (RuntimeException | Error noThread) {
      target.fail(Status.UNAVAILABLE.withDescription("no thread").withCause(noThread));
    }
  }

  /** A throw is answered too: nobody above the blocking executor would end the call. */
  private void apply(RequestInfo request, MetadataApplier target) {
    try {
      wrapped.applyRequestMetadata(request, blocking, target);
    } catch (RuntimeException | Error failure) {
      target.fail(Status.UNAUTHENTICATED.withDescription("credentials failed").withCause(failure));
    }
  }

  /** Lets through what may be sent. Thread-safe, as what it wraps is. */
  private static final class Checked extends MetadataApplier {
    private final MetadataApplier target;
    private final boolean dropProject;

    Checked(MetadataApplier target, boolean dropProject) {
      this.target = target;
      this.dropProject = dropProject;
    }

    @Override
    public void apply(Metadata headers) {
      for (String name : headers.keys()) {
        if (RequestHeaders.isForbidden(name)) {
          target.fail(
              Status.UNAUTHENTICATED.withDescription(
                  "the credentials bring the header \""
                      + name
                      + "\", which a call over HTTP/2 can't carry"));
          return;
        }
      }
      target.apply(dropProject ? withoutProject(headers) : headers);
    }

    private static Metadata withoutProject(Metadata headers) {
      // A copy: the wrapped credentials keep and reuse theirs.
      Metadata others = new Metadata();
      others.merge(headers);
      others.discardAll(RequestHeaders.USER_PROJECT_KEY);
      return others;
    }

    @Override
    public void fail(Status status) {
      target.fail(status);
    }
  }
}
