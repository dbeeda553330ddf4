// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import com.google.auth.Credentials;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Credentials that take as long as the test wants. Thread-safe. */
final class GatedCredentials extends Credentials {
  private static final long serialVersionUID = 1;

  transient volatile CountDownLatch gate = new CountDownLatch(1);

  @Override
  public String getAuthenticationType() {
    return "gated";
  }

  @Override
  public Map<String, List<String>> getRequestMetadata(URI uri) throws IOException {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return Map.of("authorization", List.of("Bearer t"));
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
  public void refresh() {}
}
