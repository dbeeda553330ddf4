// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the service is. Immutable and thread-safe.
 *
 * @param host a name or address; an IPv6 address without brackets
 * @param port the port
 * @param plaintext whether the text asked for TLS (false) or none (true); empty if it didn't say
 */
record Endpoint(String host, int port, Optional<Boolean> plaintext) {
  private static final int TLS_PORT = 443;
  private static final int PLAINTEXT_PORT = 80;
  private static final int MAX_PORT = 65_535;

  /** Scheme, IPv6 address or name, port. Names may have underscores, as containers' often do. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?<scheme>https?)://)?"
              + "(?:\\[(?<address>[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*)]|(?<name>[a-z0-9_][a-z0-9._-]*))"
              + "(?::(?<port>[0-9]{1,5}))?/?",
          Pattern.CASE_INSENSITIVE);

  /**
   * Reads {@code host}, {@code host:port}, {@code http://host:port} or {@code https://host:port}.
   *
   * @throws IllegalArgumentException if it is none of these; the message names the argument
   */
  static Endpoint parse(String text, String name) {
    Objects.requireNonNull(text, name);
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw refused(name, text);
    }
    String scheme = form.group("scheme");
    boolean http = "http".equalsIgnoreCase(scheme);
    String number = form.group("port");
    int port = number == null ? http ? PLAINTEXT_PORT : TLS_PORT : Integer.parseInt(number);
    if (port == 0 || port > MAX_PORT) {
      throw refused(name, text);
    }
    String address = form.group("address");
    return new Endpoint(
        address == null ? form.group("name") : address,
        port,
        scheme == null ? Optional.empty() : Optional.of(http));
  }

  /** As it stands in a URL. */
  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static IllegalArgumentException refused(String name, String text) {
    return new IllegalArgumentException(
        name
            + " must be host, host:port, http://host:port or https://host:port: "
            + Checks.quoted(text));
  }
}
