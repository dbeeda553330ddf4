// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.FakeGcsBuilder;
import io.github.gcsmrd.testing.ObjectContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the embedded server until it is interrupted. Confined to the main thread. */
@Command(
    name = "serve",
    description = {
      "Runs the embedded server on the loopback address with one object, until interrupted.",
      ""
    })
final class ServeCommand implements Callable<Integer> {
  private final Streams streams;

  @Option(names = "--port", paramLabel = "PORT", description = "The port. Default: a free one.")
  private int port;

  @Option(
      names = "--object",
      paramLabel = "gs://BUCKET/OBJECT",
      description = "The name of the object. Default: ${DEFAULT-VALUE}.")
  private ObjectName name = new ObjectName("bucket", "object");

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = ByteCount.class,
      description = "The size of the object, whose bytes are made up. Default: ${DEFAULT-VALUE}.")
  private long size = 256 << 20;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Makes the bytes. Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Serve this file's bytes instead; it must not change.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--tls",
      paramLabel = "FILE",
      description = "Speak TLS, and write the certificate that clients must trust to this file.")
  private Optional<Path> certificateFile = Optional.empty();

  ServeCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws Exception {
    try (FakeGcs server = start()) {
      ObjectContent content = content();
      server.put(name.bucket(), name.object(), content);
      String trust = "";
      if (certificateFile.isPresent()) {
        write(server.certificate().orElseThrow(), certificateFile.get());
        trust = " --ca-cert " + certificateFile.get();
      }
      announce(server.endpoint(), content.size(), trust);
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      streams.err().println("stopped");
    }
    return ExitStatus.OK.code();
  }

  private FakeGcs start() throws CommandFailure {
    FakeGcsBuilder builder = FakeGcs.builder();
    try {
      builder.port(port);
      return (certificateFile.isPresent() ? builder.tls() : builder).start();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitStatus.FAILED, "can't listen on port " + port + ": " + e.getMessage(), e);
    }
  }

  private ObjectContent content() throws CommandFailure {
    if (file.isEmpty()) {
      return ObjectContent.generated(seed, size);
    }
    try {
      return ObjectContent.ofFile(file.get());
    } catch (IOException e) {
      throw new CommandFailure(
          ExitStatus.FAILED, "can't read " + file.get() + ": " + FileFailures.reason(e), e);
    }
  }

  private void announce(String endpoint, long bytes, String trust) {
    streams.out().println("serving " + name + " (" + bytes + " bytes) at " + endpoint);
    streams.out().println("read it: download " + name + " --endpoint " + endpoint + trust);
    streams.out().println("end it: Ctrl-C");
    streams.out().flush();
  }

  private static void write(X509Certificate certificate, Path to)
      throws IOException, CertificateEncodingException {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    String pem =
        "-----BEGIN CERTIFICATE-----\n"
            + lines.encodeToString(certificate.getEncoded())
            + "\n-----END CERTIFICATE-----\n";
    try {
      Files.write(to, pem.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw FileFailures.unwritable(to, e);
    }
  }
}
