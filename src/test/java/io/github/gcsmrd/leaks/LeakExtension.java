// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.leaks;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaks a received message, or any other buffer of Netty. Registered for
 * every class by {@code META-INF/services}. Thread-safe.
 *
 * <p>A test fails for what is reported while it runs; what is found only once the garbage is
 * collected fails its class.
 */
public final class LeakExtension implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    LeakLog.install();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    requireNone(context);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    LeakLog.collect();
    requireNone(context);
  }

  private static void requireNone(ExtensionContext context) {
    List<String> reports = LeakLog.take();
    if (!reports.isEmpty()) {
      throw new AssertionError(
          reports.size()
              + " leaks by the end of "
              + context.getDisplayName()
              + ":\n"
              + String.join("\n", reports));
    }
  }
}
