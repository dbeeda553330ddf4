// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.grpc.Metadata;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with chunks of 10 bytes, an object of 100 bytes, and a raw client. */
abstract class FakeGcsTestBase {
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  FakeGcs server;
  RawClient client;
  FakeObject object;

  @BeforeEach
  void start() throws Exception {
    server = settings().start();
    object = server.put("bucket", "object", ObjectContent.generated(3, 100));
    client = new RawClient(server);
  }

  FakeGcsBuilder settings() {
    return FakeGcs.builder().chunkBytes(10);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  RawStream call() {
    return client.call(new Metadata());
  }

  byte[] content(long offset, int length) {
    return object.content().read(offset, length);
  }
}
