// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  private static Endpoint parse(String text) {
    return Endpoint.parse(text, "endpoint");
  }

  @Test
  void readsEachForm() {
    assertEquals(new Endpoint("host", 443, Optional.empty()), parse("host"));
    assertEquals(new Endpoint("host", 9000, Optional.empty()), parse("host:9000"));
    assertEquals(new Endpoint("h.x-y.com", 80, Optional.of(true)), parse("http://h.x-y.com"));
    assertEquals(new Endpoint("host", 443, Optional.of(false)), parse("https://host/"));
    assertEquals(new Endpoint("host", 1, Optional.of(true)), parse("HTTP://host:1"));
    assertEquals(new Endpoint("::1", 5, Optional.of(true)), parse("http://[::1]:5"));
    assertEquals(new Endpoint("127.0.0.1", 65_535, Optional.empty()), parse("127.0.0.1:65535"));
    assertEquals(new Endpoint("fake_gcs", 4443, Optional.of(true)), parse("http://fake_gcs:4443"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "http://",
        "ftp://host",
        "host:0",
        "host:65536",
        "host:port",
        "host:",
        "x:",
        "[::1",
        "::1",
        "[x]:1",
        "host:+1",
        "host:1:2",
        "http://:80",
        "host/path",
        "http://host/path",
        "http://host?query",
        "http://host#fragment",
        "http://user@host",
        "two words"
      })
  void refusesEverythingElseAndNamesTheArgument(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> parse(text));
    assertTrue(refused.getMessage().startsWith("endpoint must be"), refused.getMessage());
    assertTrue(refused.getMessage().contains("'" + text + "'"), refused.getMessage());
  }
}
