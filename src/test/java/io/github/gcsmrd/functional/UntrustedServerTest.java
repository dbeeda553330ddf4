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
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers with which no connection comes about, for want of TLS or of trust. */
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

  /** What comes of HTTP/2 without TLS, tried twice. */
  private String plaintextFailure(int port) throws Exception {
    try (GcsClient client = GcsClient.builder().endpoint("http://127.0.0.1:" + port).build()) {
      String text = failureOf(client).getMessage();
      assertEquals(2, queries.size(), text);
      assertTrue(queries.get(0).isTransient(), text);
      return text;
    }
  }

  @Test
  void aServerThatWantsTlsIsToldApart() throws Exception {
    try (FakeGcs server = FakeGcs.builder().tls().start()) {
      String text = plaintextFailure(server.port());
      assertTrue(text.contains("it may want TLS, use https://"), text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, it may want TLS",
    "0, true, it may want TLS",
    "15030300020246, false, the server speaks TLS: use https://",
    "485454502f312e3020343030, false, answered with HTTP/1: it may want TLS"
  })
  void whatAServerThatWantsTlsMayAnswerIsToldApart(String hex, boolean resets, String words)
      throws Exception {
    byte[] answer = hex.equals("0") ? new byte[0] : HexFormat.of().parseHex(hex);
    try (ServerSocket closing = hangingUp(answer, resets)) {
      String text = plaintextFailure(closing.getLocalPort());
      assertTrue(text.contains(words), text);
    }
  }

  @Test
  void aServerThatSpokeBeforeItHungUpIsNotSuspected() throws Exception {
    byte[] settings = new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0};
    try (ServerSocket closing = hangingUp(settings, false)) {
      String text = plaintextFailure(closing.getLocalPort());
      assertFalse(text.contains("TLS"), text);
    }
  }

  @Test
  void aHandshakeThatIsBrokenOffIsTriedAgain() throws Exception {
    try (ServerSocket closing = hangingUp(new byte[0], false)) {
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

  /** Takes each connection, reads its beginning, answers and closes or resets it. */
  private static ServerSocket hangingUp(byte[] answer, boolean resets) throws IOException {
    ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
    Thread accepting = new Thread(() -> hangUp(server, answer, resets), "hang-up");
    accepting.setDaemon(true);
    accepting.start();
    return server;
  }

  private static void hangUp(ServerSocket server, byte[] answer, boolean resets) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().read(new byte[1 << 12]);
        socket.getOutputStream().write(answer);
        if (resets) {
          socket.setSoLinger(true, 0);
        }
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
