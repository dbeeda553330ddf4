// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.grpc;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

/**
 * Changes gRPC's channels before they are built: interceptors, proxies, keep-alive, tracing. Must
 * be thread-safe if it is given to several clients.
 *
 * <p>Settings that this library relies on (executor, event loop, retries off, limits) are made
 * after it and win.
 */
@FunctionalInterface
public interface ChannelCustomizer {

  /**
   * Changes the settings of one connection.
   *
   * @param channel the builder, shaded as in {@code grpc-netty-shaded}
   */
  void customize(NettyChannelBuilder channel);
}
