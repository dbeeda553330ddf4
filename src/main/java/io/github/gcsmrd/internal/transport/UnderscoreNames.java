// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks up host names with underscores, as containers often have: gRPC's own resolver takes them
 * for no names at all. Thread-safe; look-ups run on the blocking executor.
 */
final class UnderscoreNames extends NameResolverProvider {
  private static final String SCHEME = "underscore";

  /** How a name becomes addresses. */
  interface Lookup {
    InetAddress[] addressesOf(String host) throws UnknownHostException;
  }

  private final String host;
  private final int port;
  private final Lookup lookup;
  private final Executor blocking;

  UnderscoreNames(String host, int port, Lookup lookup, Executor blocking) {
    this.host = host;
    this.port = port;
    this.lookup = lookup;
    this.blocking = blocking;
  }

  static boolean isNeededFor(String host) {
    return host.indexOf('_') >= 0;
  }

  /** What a channel is made for. */
  String target() {
    return SCHEME + ":///" + host + ":" + port;
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 5;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args args) {
    return new Resolver();
  }

  /** Calls of gRPC come one at a time; results go back from the executor, as gRPC allows. */
  private final class Resolver extends NameResolver {
    private volatile @Nullable Listener2 listener;

    @Override
    public String getServiceAuthority() {
      return host + ":" + port;
    }

    @Override
    public void start(Listener2 told) {
      listener = told;
      refresh();
    }

    @Override
    public void refresh() {
      try {
        blocking.execute(this::resolve);
      } catch (RejectedExecutionException closed) {
        // The client is closed, and so its channels are.
      }
    }

    @Override
    public void shutdown() {
      listener = null;
    }

    private void resolve() {
      StatusOr<List<EquivalentAddressGroup>> found = look();
      Listener2 told = listener;
      if (told != null) {
        told.onResult(ResolutionResult.newBuilder().setAddressesOrError(found).build());
      }
    }

    private StatusOr<List<EquivalentAddressGroup>> look() {
      try {
        List<EquivalentAddressGroup> groups = new ArrayList<>();
        for (InetAddress address : lookup.addressesOf(host)) {
          groups.add(new EquivalentAddressGroup(new InetSocketAddress(address, port)));
        }
        return StatusOr.fromValue(groups);
      } catch (UnknownHostException e) {
        return StatusOr.fromStatus(
            Status.UNAVAILABLE.withDescription("Unable to resolve host " + host).withCause(e));
      }
    }
  }
}
