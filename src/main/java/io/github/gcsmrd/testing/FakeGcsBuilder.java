// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

/** Sets up a {@link FakeGcs}. Not thread-safe. */
public final class FakeGcsBuilder {
  /** Where HTTP/2 starts. */
  private static final int LEAST_WINDOW_BYTES = 65_535;

  int port;
  int chunkBytes = FakeGcs.DEFAULT_CHUNK_BYTES;
  boolean tls;
  OptionalInt maxConcurrentStreams = OptionalInt.empty();
  Optional<Duration> maxConnectionAge = Optional.empty();
  Duration maxConnectionAgeGrace = Duration.ZERO;
  OptionalInt maxInboundMessageBytes = OptionalInt.empty();
  OptionalInt flowControlWindowBytes = OptionalInt.empty();
  Duration latency = Duration.ZERO;
  Optional<Executor> executor = Optional.empty();
  int eventLoops = 2;

  FakeGcsBuilder() {}

  /**
   * Sets the port.
   *
   * @param port a TCP port; 0, the default, for a free one
   * @return this
   * @throws IllegalArgumentException if it is no port
   */
  public FakeGcsBuilder port(int port) {
    if (port < 0 || port > 0xFFFF) {
      throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
    }
    this.port = port;
    return this;
  }

  /**
   * Sets the largest chunk.
   *
   * @param bytes the size in bytes, {@link FakeGcs#DEFAULT_CHUNK_BYTES} by default
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FakeGcsBuilder chunkBytes(int bytes) {
    chunkBytes = requirePositive("chunkBytes", bytes);
    return this;
  }

  /**
   * Speaks TLS with a self-signed certificate, made at the start, for {@code localhost} and {@code
   * 127.0.0.1}; see {@link FakeGcs#certificate}. The default is plaintext.
   *
   * @return this
   */
  public FakeGcsBuilder tls() {
    tls = true;
    return this;
  }

  /**
   * Limits the streams that a connection may have at a time.
   *
   * @param streams how many; no limit by default
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FakeGcsBuilder maxConcurrentStreams(int streams) {
    maxConcurrentStreams = OptionalInt.of(requirePositive("maxConcurrentStreams", streams));
    return this;
  }

  /**
   * Ages connections: after that time (give or take a tenth) one gets GOAWAY, and after the grace
   * its streams are cut.
   *
   * @param age how old a connection gets
   * @param grace how long its streams may go on
   * @return this
   * @throws IllegalArgumentException if the age is not positive or the grace negative
   */
  public FakeGcsBuilder maxConnectionAge(Duration age, Duration grace) {
    if (requireNotNegative("age", age).isZero()) {
      throw new IllegalArgumentException("age must be more than zero: " + age);
    }
    maxConnectionAgeGrace = requireNotNegative("grace", grace);
    maxConnectionAge = Optional.of(age);
    return this;
  }

  /**
   * Limits the size of a request message.
   *
   * @param bytes the size in bytes; gRPC's 4 MiB by default
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FakeGcsBuilder maxInboundMessageBytes(int bytes) {
    maxInboundMessageBytes = OptionalInt.of(requirePositive("maxInboundMessageBytes", bytes));
    return this;
  }

  /**
   * Sets the HTTP/2 flow-control window for requests, so that a server that stops reading makes a
   * client queue soon.
   *
   * @param bytes the size in bytes, 64 KiB - 1 or more as HTTP/2 starts there; 1 MiB by default
   * @return this
   * @throws IllegalArgumentException if it is less
   */
  public FakeGcsBuilder flowControlWindowBytes(int bytes) {
    if (bytes < LEAST_WINDOW_BYTES) {
      throw new IllegalArgumentException(
          "flowControlWindowBytes must be " + LEAST_WINDOW_BYTES + " or more: " + bytes);
    }
    flowControlWindowBytes = OptionalInt.of(bytes);
    return this;
  }

  /**
   * Lets all that clients send arrive later, as on a long way.
   *
   * @param latency the time; zero by default
   * @return this
   * @throws IllegalArgumentException if it is negative
   */
  public FakeGcsBuilder latency(Duration latency) {
    this.latency = requireNotNegative("latency", latency);
    return this;
  }

  /**
   * Sets where streams are answered. The caller shuts it down, after the server.
   *
   * @param executor any executor; two daemon threads of the server's own by default
   * @return this
   */
  public FakeGcsBuilder executor(Executor executor) {
    this.executor = Optional.of(Objects.requireNonNull(executor, "executor"));
    return this;
  }

  /**
   * Sets the number of event loops.
   *
   * @param count how many, 2 by default
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FakeGcsBuilder eventLoops(int count) {
    eventLoops = requirePositive("eventLoops", count);
    return this;
  }

  /**
   * Starts a server on the loopback address.
   *
   * @return the running server
   * @throws IOException if the port can't be had
   */
  public FakeGcs start() throws IOException {
    return new FakeGcs(this);
  }

  private static Duration requireNotNegative(String name, Duration value) {
    if (Objects.requireNonNull(value, name).isNegative()) {
      throw new IllegalArgumentException(name + " is negative: " + value);
    }
    return value;
  }

  private static int requirePositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is not positive: " + value);
    }
    return value;
  }
}
