// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each failure is one line and a status of its own. */
@Timeout(60)
class DownloadFailuresTest {
  @TempDir private Path directory;
  private FakeGcs server;
  private String endpoint;

  @BeforeEach
  void start() throws IOException {
    server = FakeGcs.start();
    endpoint = server.endpoint();
    server.put("bucket", "object", ObjectContent.generated(1, 100_000));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Outcome download(String object, String... args) {
    List<String> all = new ArrayList<>(List.of("download", object));
    all.addAll(List.of("--endpoint", endpoint, "--retry-for", "1"));
    all.addAll(Arrays.asList(args));
    return Outcome.of(all.toArray(String[]::new));
  }

  private void failStreams(StatusCode code, String message) {
    server.onEveryStream(StreamScript.at(When.called(), StreamAction.end(code, message)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bucket/object",
        "gs://bucket",
        "gs:///object",
        "gs://bucket/object --range 5",
        "gs://bucket/object --range 5:x",
        "gs://bucket/object --range -5:5",
        "gs://bucket/object --range 9223372036854775807:1",
        "gs://bucket/object --timeout 0",
        "gs://bucket/object --timeout x",
        "gs://bucket/object --retry-for 0",
        "gs://bucket/object --generation 0 --endpoint http://localhost:1",
        "gs://bucket/object --endpoint ftp://host",
        "gs://BUCKET!/object --endpoint http://localhost:1",
        "gs://bucket/object --ca-cert /no/such/file",
        "gs://bucket/object --unknown",
        "gs://bucket/object another",
      })
  void badArgumentsAreRefusedWithAHint(String args) {
    Outcome.of(("download " + args).strip().split(" "))
        .assertFailed(ExitStatus.USAGE, "; see 'gcs-mrd download --help'");
  }

  @Test
  void unknownCommandsAreRefused() {
    Outcome.of("upload").assertFailed(ExitStatus.USAGE, "'upload'", "see 'gcs-mrd --help'");
  }

  @Test
  void noSuchObject() {
    download("gs://bucket/other").assertFailed(ExitStatus.NOT_FOUND, "gs://bucket/other");
  }

  @Test
  void noSuchGeneration() {
    download("gs://bucket/object", "--generation", "5")
        .assertFailed(ExitStatus.NOT_FOUND, "gs://bucket/object#5");
  }

  @Test
  void noPermission() {
    failStreams(StatusCode.PERMISSION_DENIED, "you may not\nread it");
    download("gs://bucket/object").assertFailed(ExitStatus.ACCESS, "you may not read it");
  }

  @Test
  void noCredentials() {
    server.requireToken("secret");
    download("gs://bucket/object").assertFailed(ExitStatus.ACCESS, "gs://bucket/object");
  }

  @Test
  void noConnection() {
    server.close();
    Outcome outcome = download("gs://bucket/object");
    outcome.assertFailed(ExitStatus.NETWORK, "no answer from " + endpoint, "Connection refused");
    assertFalse(outcome.err().contains("Exception"), outcome::toString);
  }

  @Test
  void certificatesForAnEndpointWithoutTls() throws Exception {
    Path file = directory.resolve("ca.pem");
    try (FakeGcs tls = FakeGcs.builder().tls().start()) {
      byte[] der = tls.certificate().orElseThrow().getEncoded();
      Files.write(file, der);
    }
    download("gs://bucket/object", "--ca-cert", file.toString())
        .assertFailed(ExitStatus.USAGE, "trustedCertificates", endpoint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no PEM\n"})
  void aFileWithoutCertificatesIsNamedWithItsOption(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("ca.pem"), text);
    download("gs://bucket/object", "--ca-cert", file.toString())
        .assertFailed(ExitStatus.USAGE, "--ca-cert", "no certificates in " + file);
  }

  @Test
  void aCertificateFileThatIsNotThereIsNamedWithItsOption() {
    String file = directory.resolve("none.pem").toString();
    download("gs://bucket/object", "--ca-cert", file)
        .assertFailed(ExitStatus.USAGE, "--ca-cert", "can't read " + file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void anEmptyDirectoryNameIsRefused(String out) {
    download("gs://bucket/object", "--out", out).assertFailed(ExitStatus.USAGE, "--out");
  }

  @Test
  void aServerThatIsNotTrusted() throws IOException {
    try (FakeGcs tls = FakeGcs.builder().tls().start()) {
      Outcome outcome =
          Outcome.of(
              "download", "gs://bucket/object", "--endpoint", tls.endpoint(), "--no-credentials");
      outcome.assertFailed(ExitStatus.NETWORK, "certification path", "--ca-cert");
      assertFalse(outcome.err().contains("Pipeline"), outcome::toString);
      assertFalse(outcome.err().contains("attempts"), outcome::toString);
    }
  }

  @Test
  void limitsAreToldInSeconds() {
    failStreams(StatusCode.UNAVAILABLE, "come back later");
    download("gs://bucket/object").assertFailed(ExitStatus.NETWORK, "limit of 1 s");
  }

  @Test
  void serviceUnavailable() {
    failStreams(StatusCode.UNAVAILABLE, "come back later");
    download("gs://bucket/object").assertFailed(ExitStatus.NETWORK, "come back later");
  }

  @Test
  void tooSlow() {
    server.onRange(RangeMatch.any(), RangeScript.builder().hold(0, Gate.closed()).build());
    Outcome.of("download", "gs://bucket/object", "--endpoint", endpoint, "--timeout", "1")
        .assertFailed(ExitStatus.NETWORK, "gs://bucket/object");
  }

  @Test
  void corruptDataLeavesNoFile() throws IOException {
    server.onRange(RangeMatch.any(), RangeScript.chunk(ChunkMatch.all(), ChunkFault.flippedBit()));
    download("gs://bucket/object", "--out", directory.toString())
        .assertFailed(ExitStatus.CORRUPT, "crc32c");
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void preconditionFailed() {
    failStreams(StatusCode.FAILED_PRECONDITION, "not so");
    download("gs://bucket/object").assertFailed(ExitStatus.PRECONDITION, "not so");
  }

  @Test
  void rangeBeyondTheEnd() {
    download("gs://bucket/object", "--range", "1m:5")
        .assertFailed(ExitStatus.FAILED, "beyond the end");
  }

  @Test
  void directoryThatCannotBe() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    download("gs://bucket/object", "--out", file.toString())
        .assertFailed(ExitStatus.FAILED, "can't write " + file);
  }

  @Test
  void stackTraceOnlyWhenAskedFor() {
    assertFalse(download("gs://bucket/other").err().contains("\tat "));
    assertTrue(download("gs://bucket/other", "-v").err().contains("\tat "));
  }
}
