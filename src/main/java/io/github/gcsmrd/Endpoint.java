// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /**
   * Reads {@code host}, {@code host:port}, {@code http://host:port} or {@code https://host:port}.
   *
   * @throws IllegalArgumentException if it is none of these; the message names the argument
   */
  static Endpoint parse(String text, String name) {
    Objects.requireNonNull(text, name);
    boolean hasScheme = text.contains("://");
    URI uri;
    try {
      uri = new URI(hasScheme ? text : "none://" + text);
    } catch (URISyntaxException e) {
      throw refused(name, text, e);
    }
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    boolean https = "https".equalsIgnoreCase(uri.getScheme());
    String path = uri.getRawPath();
    boolean bare =
        (path == null || path.isEmpty() || path.equals("/")) && uri.getRawQuery() == null;
    if (uri.getHost() == null
        || !bare
        || (hasScheme && !http && !https)
        || uri.getPort() == 0
        || uri.getPort() > 65_535
        || uri.getRawFragment() != null
        || uri.getRawUserInfo() != null) {
      throw refused(name, text, null);
    }
    String host = uri.getHost();
    if (host.startsWith("[")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = uri.getPort() > 0 ? uri.getPort() : http ? PLAINTEXT_PORT : TLS_PORT;
    return new Endpoint(host, port, hasScheme ? Optional.of(http) : Optional.empty());
  }

  private static IllegalArgumentException refused(
      String name, String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        name + " must be host, host:port, http://host:port or https://host:port: '" + text + "'",
        cause);
  }
}
