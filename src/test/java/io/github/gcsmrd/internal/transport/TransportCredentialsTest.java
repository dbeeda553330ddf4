// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.auth.Credentials;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.stream.StreamCall;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamEnd.Origin;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportCredentialsTest {
  private static final RawServer.Handler SILENT = (call, headers) -> RawServer.ignore();

  /** Credentials that gRPC sends over plaintext too, as it knows them not to be Google's. */
  private static final class FakeCredentials extends Credentials {
    private static final long serialVersionUID = 1;

    final transient Set<String> threads = ConcurrentHashMap.newKeySet();
    volatile String token = "t1";
    volatile boolean failing;
    volatile Map<String, List<String>> further = Map.of();

    @Override
    public String getAuthenticationType() {
      return "fake";
    }

    @Override
    public Map<String, List<String>> getRequestMetadata(URI uri) throws IOException {
      threads.add(Thread.currentThread().getName());
      if (failing) {
        throw new IOException("no token on purpose");
      }
      Map<String, List<String>> all = new HashMap<>(further);
      all.put("authorization", List.of("Bearer " + token));
      all.put("x-goog-user-project", List.of("theirs"));
      return all;
    }

    @Override
    public boolean hasRequestMetadata() {
      return true;
    }

    @Override
    public boolean hasRequestMetadataOnly() {
      return true;
    }

    @Override
    public void refresh() throws IOException {
      threads.add(Thread.currentThread().getName());
      if (failing) {
        throw new IOException("no token on purpose");
      }
      token = "t2";
    }
  }

  private static List<String> all(Metadata headers, String name) {
    Iterable<String> values =
        headers.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    List<String> list = new ArrayList<>();
    if (values != null) {
      values.forEach(list::add);
    }
    return list;
  }

  @Test
  void metadataIsFetchedOffTheLoopForEachOpenAndRefreshed() throws Exception {
    FakeCredentials credentials = new FakeCredentials();
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture =
            new TransportFixture(
                server.port(), options -> options.credentials(Optional.of(credentials)))) {
      fixture.open(fixture.listener());
      Metadata first = server.nextHeaders();
      assertEquals(List.of("Bearer t1"), all(first, "authorization"));
      assertEquals(List.of("theirs"), all(first, "x-goog-user-project"));
      assertTrue(TransportFixture.await(fixture.transport.credentials().orElseThrow().refresh()));
      fixture.open(fixture.listener());
      assertEquals(List.of("Bearer t2"), all(server.nextHeaders(), "authorization"));
      assertEquals(Set.of("test-blocking"), credentials.threads);
    }
  }

  @Test
  void aHeaderOfCredentialsThatEndsAConnectionEndsTheirCallAlone() throws Exception {
    FakeCredentials credentials = new FakeCredentials();
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture =
            new TransportFixture(
                server.port(), options -> options.credentials(Optional.of(credentials)))) {
      RecordingListener neighbour = fixture.listener();
      StreamCall open = fixture.open(neighbour);
      server.nextHeaders();
      credentials.further = Map.of("Connection", List.of("close"));
      RecordingListener refused = fixture.listener();
      fixture.open(refused);
      StreamEnd end = refused.awaitEnd();
      assertEquals(StatusCode.UNAUTHENTICATED, end.code());
      assertTrue(end.description().contains("\"connection\""), end.description());
      credentials.further = Map.of("x-own", List.of("value"));
      fixture.open(fixture.listener());
      assertEquals(List.of("value"), all(server.nextHeaders(), "x-own"));
      fixture.run(neighbour, () -> open.cancel("test over"));
      assertEquals(Origin.LOCAL, neighbour.awaitEnd().origin());
    }
  }

  @Test
  void theClientsUserProjectIsSentInsteadOfTheCredentials() throws Exception {
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture =
            new TransportFixture(
                server.port(),
                options ->
                    options
                        .credentials(Optional.of(new FakeCredentials()))
                        .userProject(Optional.of("mine")))) {
      for (int i = 0; i < 2; i++) {
        fixture.open(fixture.listener());
        Metadata headers = server.nextHeaders();
        assertEquals(List.of("mine"), all(headers, "x-goog-user-project"));
        assertEquals(List.of("Bearer t1"), all(headers, "authorization"));
      }
    }
  }

  @Test
  void callsOverCredentialsWorkThoughGrpcStartsThemOffTheLoop() {
    RawServer.Handler answering =
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          for (int i = 0; i < 20; i++) {
            call.sendMessage(TransportFixture.response(i, 50_000));
          }
          call.close(Status.OK, new Metadata());
          return RawServer.ignore();
        };
    try (RawServer server = RawServer.start(answering);
        TransportFixture fixture =
            new TransportFixture(
                server.port(),
                options -> options.credentials(Optional.of(new FakeCredentials())))) {
      for (int round = 0; round < 50; round++) {
        RecordingListener listener = fixture.listener();
        fixture.open(listener, 20);
        for (int i = 0; i < 20; i++) {
          listener.awaitResponse().close();
        }
        assertEquals(StatusCode.OK, listener.awaitEnd().code());
      }
    }
  }

  @Test
  void credentialsThatFailEndTheOpenOnTheLoop() {
    FakeCredentials credentials = new FakeCredentials();
    credentials.failing = true;
    try (RawServer server = RawServer.start(SILENT);
        TransportFixture fixture =
            new TransportFixture(
                server.port(), options -> options.credentials(Optional.of(credentials)))) {
      RecordingListener listener = fixture.listener();
      fixture.open(listener, 1);
      StreamEnd end = listener.awaitEnd();
      assertEquals(Origin.TRANSPORT, end.origin());
      assertTrue(String.valueOf(end.cause()).contains("on purpose"), end.toString());
      assertFalse(TransportFixture.await(fixture.transport.credentials().orElseThrow().refresh()));
    }
  }

  private static GoogleCredentials googleCredentials() {
    return GoogleCredentials.create(
        new AccessToken("secret", Date.from(Instant.now().plusSeconds(3600))));
  }

  @Test
  void googleCredentialsWithoutTlsAreRefusedWithAClearError() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TransportOptions.builder()
                    .endpoint("localhost", 1)
                    .plaintext(true)
                    .credentials(Optional.of(googleCredentials()))
                    .build());
    assertTrue(refused.getMessage().contains("TLS"), refused.getMessage());
    assertFalse(refused.getMessage().contains("secret"), refused.getMessage());
  }

  /** Makes a key and a certificate for localhost with the JDK's own tool. */
  private static X509Certificate certify(Path directory, File key, File chain) throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool = new ProcessBuilder(command(store)).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertTrue(keytool.waitFor(60, TimeUnit.SECONDS) && keytool.exitValue() == 0, said);
    KeyStore loaded = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    X509Certificate certificate = (X509Certificate) loaded.getCertificate("a");
    writePem(chain, "CERTIFICATE", certificate.getEncoded());
    writePem(key, "PRIVATE KEY", loaded.getKey("a", "changeit".toCharArray()).getEncoded());
    return certificate;
  }

  private static List<String> command(Path store) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "a",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost",
        "-storetype",
        "PKCS12",
        "-storepass",
        "changeit",
        "-keystore",
        store.toString());
  }

  private static void writePem(File file, String type, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(der);
    Files.writeString(
        file.toPath(), "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  @Test
  void overTlsGoogleCredentialsAreSentToATrustedServerAlone(@TempDir Path directory)
      throws Exception {
    File key = directory.resolve("key.pem").toFile();
    File chain = directory.resolve("chain.pem").toFile();
    X509Certificate certificate = certify(directory, key, chain);
    try (RawServer server =
        RawServer.start(0, builder -> builder.useTransportSecurity(chain, key), SILENT)) {
      try (TransportFixture trusting =
          new TransportFixture(
              server.port(),
              options ->
                  options
                      .plaintext(false)
                      .trustedCertificates(List.of(certificate))
                      .credentials(Optional.of(googleCredentials())))) {
        trusting.open(trusting.listener());
        assertEquals(List.of("Bearer secret"), all(server.nextHeaders(), "authorization"));
      }
      try (TransportFixture doubting =
          new TransportFixture(
              server.port(),
              options -> options.plaintext(false).credentials(Optional.of(googleCredentials())))) {
        RecordingListener listener = doubting.listener();
        doubting.open(listener);
        StreamEnd end = listener.awaitEnd();
        assertEquals(StatusCode.UNAVAILABLE, end.code());
        assertEquals(Origin.UNTRUSTED_SERVER, end.origin());
        assertTrue(server.headers.isEmpty());
      }
    }
  }
}
