// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.FakeGcs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers with which no TLS connection comes about. */
@Timeout(60)
class UntrustedServerTest {
  private final List<RetryPolicy.Query> queries = Collections.synchronizedList(new ArrayList<>());

  /** What a read ends with that is tried a second time if that may help. */
  private SessionException failureOf(GcsClient client) throws Exception {
    RetryPolicy twice =
        RetryPolicy.builder().initialDelay(Duration.ofMillis(1)).maxAttempts(2).build();
    RetryPolicy recording =
        query -> {
          queries.add(query);
          return twice.onFailure(query);
        };
    try (MultiRangeDownloader mrd =
        client.createMrd("bucket", "object", MrdOptions.builder().retryPolicy(recording).build())) {
      ExecutionException failure =
          assertThrows(
              ExecutionException.class, () -> mrd.read(ByteRange.all()).get(30, TimeUnit.SECONDS));
      return assertInstanceOf(SessionException.class, failure.getCause());
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsNamedAndNotTriedAgain() throws Exception {
    try (FakeGcs server = FakeGcs.builder().tls().start();
        GcsClient client =
            GcsClient.builder().endpoint(server.endpoint()).noCredentials().build()) {
      SessionException failure = failureOf(client);
      String text = failure.getMessage();
      assertFalse(text.contains("\n") || text.contains("Pipeline"), text);
      assertTrue(text.contains("unable to find valid certification path"), text);
      assertTrue(text.contains("GcsClientBuilder.trustedCertificates"), text);
      assertTrue(text.contains("--ca-cert"), text);
      assertTrue(text.length() < 400, text);
      assertEquals(StatusCode.UNAVAILABLE, failure.status());
      assertTrue(causes(failure).stream().anyMatch(CertificateException.class::isInstance), text);
      assertEquals(1, queries.size());
      assertFalse(queries.get(0).isTransient());
    }
  }

  @Test
  void aServerWithoutTlsIsToldApart() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        GcsClient client =
            GcsClient.builder()
                .endpoint("https://127.0.0.1:" + server.port())
                .noCredentials()
                .build()) {
      String text = failureOf(client).getMessage();
      assertTrue(text.contains("the server does not speak TLS"), text);
      assertFalse(text.contains("\n") || text.contains("Pipeline"), text);
      assertTrue(text.length() < 400, text);
    }
  }

  @Test
  void aHandshakeThatIsBrokenOffIsTriedAgain() throws Exception {
    try (ServerSocket closing = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      Thread accepting = new Thread(() -> hangUp(closing), "hang-up");
      accepting.setDaemon(true);
      accepting.start();
      try (GcsClient client =
          GcsClient.builder()
              .endpoint("https://127.0.0.1:" + closing.getLocalPort())
              .noCredentials()
              .build()) {
        String text = failureOf(client).getMessage();
        assertFalse(text.contains("trustedCertificates"), text);
        assertFalse(text.contains("\n") || text.contains("Pipeline"), text);
      }
      assertEquals(2, queries.size());
      assertTrue(queries.get(0).isTransient());
    }
  }

  /** Takes each connection, reads the beginning of the handshake and closes it. */
  private static void hangUp(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().read();
      } catch (IOException closed) {
        // The test is over, or the client was faster.
      }
    }
  }

  private static List<Throwable> causes(Throwable failure) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      causes.add(at);
    }
    return causes;
  }
}
