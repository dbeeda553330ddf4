// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
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

  @Test
  void wrongSettingsAreRefusedAtTheSetter() {
    GcsClientBuilder builder = new GcsClientBuilder(Map.of());
    assertThrows(IllegalArgumentException.class, () -> builder.eventLoops(0));
    assertThrows(IllegalArgumentException.class, () -> builder.connections(1_025));
    assertThrows(IllegalArgumentException.class, () -> builder.receiveBufferBytes(1));
    assertThrows(IllegalArgumentException.class, () -> builder.flowControlWindowBytes(65_534));
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
