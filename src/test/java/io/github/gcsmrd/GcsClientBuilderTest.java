// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import io.github.gcsmrd.testing.FakeGcs;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GcsClientBuilderTest {
  private static GcsClientBuilder with(String emulator) {
    return new GcsClientBuilder(Map.of(GcsClientBuilder.EMULATOR_VARIABLE, emulator));
  }

  private static String where(GcsClientBuilder builder) {
    try (GcsClient client = builder.build()) {
      String text = client.toString();
      return text.substring("GcsClient[".length(), text.indexOf(','));
    }
  }

  @Test
  void theEmulatorVariableMeansPlaintextWithoutCredentials() {
    assertEquals("http://localhost:9000", where(with("localhost:9000")));
    assertEquals("http://localhost:9000", where(with(" http://localhost:9000 ")));
    assertEquals("http://localhost:443", where(with("https://localhost")));
  }

  @Test
  void anEndpointWinsOverTheVariable() {
    assertEquals(
        "http://127.0.0.1:1", where(with("localhost:9000").endpoint("http://127.0.0.1:1")));
    assertEquals(
        "https://127.0.0.1:1",
        where(with("localhost:9000").endpoint("127.0.0.1:1").noCredentials()));
  }

  @Test
  void anEmptyVariableIsNone() {
    assertEquals("https://storage.googleapis.com:443", where(with(" ").noCredentials()));
    assertEquals(
        "https://storage.googleapis.com:443",
        where(new GcsClientBuilder(Map.of()).noCredentials()));
  }

  @Test
  void aWrongVariableIsNamed() {
    GcsClientBuilder builder = with("not an endpoint");
    String message = assertThrows(IllegalArgumentException.class, builder::build).getMessage();
    assertTrue(message.startsWith(GcsClientBuilder.EMULATOR_VARIABLE), message);
  }

  @Test
  void credentialsAreNeverSentWithoutTls() {
    GcsClientBuilder builder =
        new GcsClientBuilder(Map.of())
            .endpoint("http://localhost:1")
            .credentials(GoogleCredentials.create(new AccessToken("t", new Date())));
    assertThrows(IllegalStateException.class, builder::build);
  }

  private static String contradiction(GcsClientBuilder builder, String... named) {
    String message = assertThrows(IllegalStateException.class, builder::build).getMessage();
    for (String name : named) {
      assertTrue(message.contains(name), message);
    }
    return message;
  }

  private static GcsClientBuilder at(String endpoint) {
    return new GcsClientBuilder(Map.of()).noCredentials().endpoint(endpoint);
  }

  @Test
  void credentialsForAnEmulatorNameWhatMadeItPlaintext() {
    GoogleCredentials token = GoogleCredentials.create(new AccessToken("t", new Date()));
    contradiction(
        with("localhost:9").credentials(token),
        "credentials",
        GcsClientBuilder.EMULATOR_VARIABLE + "=localhost:9");
    contradiction(at("http://h:1").credentials(token), "credentials", "endpoint http://h:1");
    contradiction(at("h:1").plaintext(true).credentials(token), "plaintext(true)");
  }

  @Test
  void settingsThatContradictAreNamedBoth() {
    contradiction(at("https://h:1").plaintext(true), "endpoint https://h:1", "plaintext(true)");
    contradiction(at("http://h:1").plaintext(false), "endpoint http://h:1", "plaintext(false)");
    contradiction(
        with("h:1").plaintext(false), GcsClientBuilder.EMULATOR_VARIABLE, "plaintext(false)");
    assertEquals("http://h:1", where(at("h:1").plaintext(true)));
    assertEquals("http://h:1", where(at("http://h:1").plaintext(true)));
    assertEquals("https://h:1", where(at("https://h:1").plaintext(false)));
  }

  @Test
  void trustedCertificatesAreNotIgnoredSilently() throws Exception {
    try (FakeGcs server = FakeGcs.builder().tls().start()) {
      X509Certificate trusted = server.certificate().orElseThrow();
      contradiction(
          at("http://h:1").trustedCertificates(trusted), "trustedCertificates", "http://h:1");
      contradiction(
          with("h:1").trustedCertificates(trusted),
          "trustedCertificates",
          GcsClientBuilder.EMULATOR_VARIABLE);
      contradiction(
          at("h:1").plaintext(true).trustedCertificates(trusted),
          "trustedCertificates",
          "plaintext(true)");
    }
  }

  @Test
  void namesOfContainersMayHaveUnderscores() {
    assertEquals("http://fake_gcs:4443", where(at("http://fake_gcs:4443")));
    assertEquals("https://fake_gcs:443", where(at("fake_gcs")));
  }

  @Test
  void anAddressOfIpv6IsShownInBrackets() {
    assertEquals("http://[::1]:5", where(at("http://[::1]:5")));
  }

  @Test
  void wrongSettingsAreRefusedAtTheSetter() {
    GcsClientBuilder builder = new GcsClientBuilder(Map.of());
    assertThrows(IllegalArgumentException.class, () -> builder.eventLoops(0));
    assertThrows(IllegalArgumentException.class, () -> builder.connections(1_025));
    assertThrows(IllegalArgumentException.class, () -> builder.receiveBufferBytes(1));
    assertThrows(IllegalArgumentException.class, () -> builder.flowControlWindowBytes(65_534));
    assertThrows(IllegalArgumentException.class, () -> builder.pinnedMemoryBytes(-1));
    assertThrows(IllegalArgumentException.class, () -> builder.sinkMemoryBytes((8 << 20) - 1));
    assertThrows(IllegalArgumentException.class, () -> builder.userAgent("a\nb"));
    assertThrows(IllegalArgumentException.class, () -> builder.userProject(""));
    assertThrows(IllegalArgumentException.class, builder::trustedCertificates);
    assertThrows(NullPointerException.class, () -> builder.credentials(null));
  }

  @Test
  void noEventLoopIsWithoutConnection() {
    with("localhost:1").eventLoops(3).build().close();
    with("localhost:1").eventLoops(2).connections(3).build().close();
    GcsClientBuilder contradiction = with("localhost:1").eventLoops(3).connections(2);
    assertThrows(IllegalStateException.class, contradiction::build);
  }

  @Test
  void aClosedClientRefusesSessions() {
    GcsClient client = with("localhost:1").build();
    client.close();
    client.close();
    assertThrows(IllegalStateException.class, () -> client.createMrd("bucket", "object"));
    assertThrows(IllegalArgumentException.class, () -> client.createMrd("B", "object"));
    assertEquals(0, client.pinnedBytes());
  }
}
