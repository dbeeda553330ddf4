// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.GcsClientBuilder;
import io.github.gcsmrd.MrdOptionsBuilder;
import io.github.gcsmrd.RetryPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How the service is reached. Confined to the main thread. */
final class ConnectionOptions {
  private static final String EMULATOR_VARIABLE = "STORAGE_EMULATOR_HOST_GRPC";
  private static final Duration FIRST_DELAY = Duration.ofMillis(250);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description =
          "http://HOST:PORT of an emulator (no TLS, no credentials), or https://HOST:PORT."
              + " Default: that of STORAGE_EMULATOR_HOST_GRPC, else the public service.")
  private Optional<String> endpoint = Optional.empty();

  @Option(
      names = "--no-credentials",
      description = "Send none, for public objects. Default: application default credentials.")
  private boolean noCredentials;

  @Option(
      names = "--user-project",
      paramLabel = "PROJECT",
      description = "The project to bill, where the requester pays.")
  private Optional<String> userProject = Optional.empty();

  @Option(
      names = "--ca-cert",
      paramLabel = "FILE",
      description = "Trust the certificates of this PEM file instead of the system's.")
  private Optional<Path> caCert = Optional.empty();

  @Option(
      names = "--retry-for",
      paramLabel = "SECONDS",
      converter = Seconds.class,
      description = "How long to try again after a failure without any progress. Default: 10.")
  private Duration retryFor = Duration.ofSeconds(10);

  /** Where the client connects to, for the user. */
  String where() {
    String emulator = System.getenv(EMULATOR_VARIABLE);
    return endpoint.orElse(emulator == null || emulator.isBlank() ? "the service" : emulator);
  }

  /** Makes a client; connects to nothing yet. */
  GcsClient connect() throws CommandFailure {
    GcsClientBuilder builder = GcsClient.builder();
    try {
      endpoint.ifPresent(builder::endpoint);
      userProject.ifPresent(builder::userProject);
      if (caCert.isPresent()) {
        builder.trustedCertificates(certificates(caCert.get()));
      }
      return (noCredentials ? builder.noCredentials() : builder).build();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    } catch (IllegalStateException e) {
      if (caCert.isPresent()) {
        throw CommandFailure.usage(e);
      }
      // No other options can contradict: it is about the class path.
      throw e;
    } catch (UncheckedIOException e) {
      throw new CommandFailure(
          ExitStatus.ACCESS,
          "no application default credentials: run 'gcloud auth application-default login', set"
              + " GOOGLE_APPLICATION_CREDENTIALS, or say --no-credentials for public objects",
          e);
    }
  }

  /** Adds the limits of a command that somebody waits for. */
  void limit(MrdOptionsBuilder options) {
    options.openTimeout(retryFor);
    options.retryPolicy(
        RetryPolicy.builder()
            .initialDelay(FIRST_DELAY)
            .maxDelay(LONGEST_DELAY)
            .maxElapsed(retryFor)
            .maxAttempts(Integer.MAX_VALUE)
            .build());
  }

  private static X509Certificate[] certificates(Path file) throws CommandFailure {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      if (certificates.length == 0) {
        throw CommandFailure.usage("--ca-cert: no certificates in " + file);
      }
      return certificates;
    } catch (IOException e) {
      String reason = "--ca-cert: can't read " + file + ": " + FileFailures.reason(e);
      throw new CommandFailure(ExitStatus.USAGE, reason, e);
    } catch (CertificateException e) {
      String reason = "--ca-cert: no certificates in " + file + ": " + e.getMessage();
      throw new CommandFailure(ExitStatus.USAGE, reason, e);
    }
  }
}
