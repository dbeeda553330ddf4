// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.OAuth2Credentials;
import io.github.gcsmrd.AccessDeniedException;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.EncryptionKey;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.PreconditionFailedException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.Bytes;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.FakeObject;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers, credentials and what each open carries. */
@Timeout(60)
class HeadersTest {
  private static final String PARAMS = "x-goog-request-params";
  private static final String IDEMPOTENCY = "x-goog-gcs-idempotency-token";

  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  /** Credentials that give another token each time they are asked to renew. */
  private static final class CountingCredentials extends OAuth2Credentials {
    private static final long serialVersionUID = 1L;
    private final AtomicInteger tokens = new AtomicInteger();

    @Override
    public AccessToken refreshAccessToken() {
      return new AccessToken(
          "t" + tokens.incrementAndGet(), Date.from(Instant.now().plusSeconds(3600)));
    }
  }

  private CountingCredentials secured() throws IOException {
    CountingCredentials credentials = new CountingCredentials();
    gcs.serve(FakeGcs.builder().tls());
    gcs.connect(GcsClient.builder().credentials(credentials));
    return credentials;
  }

  private void assertOnEveryStream(int streams, String header, String value) {
    assertEquals(streams, gcs.server().streams().size());
    for (StreamRecord stream : gcs.server().streams()) {
      assertEquals(List.of(value), stream.header(header), "stream " + stream.ordinal());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bucket", "my_bucket.example.com", "0-1"})
  void b96_everyOpenNamesItsBucketOnce(String bucket) {
    ObjectContent content = ObjectContent.generated(1, 100);
    gcs.server().put(bucket, "o", content);
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)));
    try (MultiRangeDownloader mrd = gcs.client().createMrd(bucket, "o", options().build())) {
      gcs.assertReads(mrd, content, 0, 10);
    }
    assertOnEveryStream(2, PARAMS, "bucket=projects/_/buckets/" + bucket);
    for (StreamRecord stream : gcs.server().streams()) {
      assertEquals("projects/_/buckets/" + bucket, stream.spec().orElseThrow().bucket());
    }
  }

  @Test
  void b96_otherHeadersComeOnce() {
    ObjectContent content = gcs.put(100);
    gcs.connect(GcsClient.builder().userAgent("tester/1").userProject("payer"));
    gcs.assertReads(gcs.open(), content, 0, 10);
    StreamRecord stream = gcs.server().stream(1);
    assertEquals(List.of("payer"), stream.header("x-goog-user-project"));
    assertEquals(1, stream.header("x-goog-api-client").size());
    assertTrue(stream.header("x-goog-api-client").get(0).contains("gl-java/"));
    assertEquals(1, stream.header("user-agent").size());
    assertTrue(stream.header("user-agent").get(0).startsWith("tester/1"));
    assertEquals(1, stream.header(IDEMPOTENCY).size());
  }

  @Test
  void idempotencyTokenIsThatOfOneOpen() {
    ObjectContent content = gcs.put(100);
    gcs.server()
        .onStream(1, StreamScript.at(When.opened(), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onStream(2, StreamScript.at(When.opened(), StreamAction.redirect("T")));
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 0, 10);
    String token = gcs.server().stream(1).header(IDEMPOTENCY).get(0);
    assertOnEveryStream(3, IDEMPOTENCY, token);
    gcs.server().perform(3, StreamAction.end(StatusCode.OK));
    gcs.assertReads(mrd, content, 0, 10);
    assertNotEquals(List.of(token), gcs.server().stream(4).header(IDEMPOTENCY));
  }

  @Test
  void b97_refusedTokenIsRenewed() throws Exception {
    secured();
    ObjectContent content = gcs.put(100);
    gcs.server().requireToken("t1");
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 0, 10);
    gcs.server().requireToken("t2");
    gcs.assertReads(mrd, content, 20, 10);
    assertEquals(1, gcs.server().streams().size(), "an open stream goes on");
    gcs.server().perform(1, StreamAction.end(StatusCode.UNAVAILABLE));
    gcs.assertReads(mrd, content, 40, 10);
    StreamRecord last = gcs.server().streams().get(gcs.server().streams().size() - 1);
    assertEquals(List.of("Bearer t2"), last.header("authorization"));
    assertTrue(gcs.server().streams().size() <= 3);
  }

  @Test
  void b97_refusedFreshTokenFails() throws Exception {
    CountingCredentials credentials = secured();
    gcs.put(100);
    gcs.server().requireToken("never");
    AccessDeniedException e =
        failure(AccessDeniedException.class, gcs.open().read(ByteRange.of(0, 10)));
    assertEquals(StatusCode.UNAUTHENTICATED, e.status());
    assertEquals(2, gcs.server().streams().size());
    assertEquals(2, credentials.tokens.get());
  }

  @Test
  void b98_optionsTravelWithEveryOpen() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 9);
    FakeObject object =
        gcs.put(100, ObjectOptions.builder().generation(6).encryptionKey(key).build());
    gcs.connect(GcsClient.builder().userProject("payer"));
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onStream(2, StreamScript.at(When.sent(4), StreamAction.redirect("T")));
    MultiRangeDownloader mrd =
        gcs.opened(
            options()
                .ifGenerationMatch(6)
                .ifGenerationNotMatch(5)
                .encryptionKey(EncryptionKey.of(key))
                .header("x-custom", "mine"));
    gcs.assertReads(mrd, object.content(), 0, 50);
    gcs.assertReads(mrd, object.content(), 50, 50);
    assertOnEveryStream(3, "x-goog-user-project", "payer");
    assertOnEveryStream(3, "x-custom", "mine");
    for (StreamRecord stream : gcs.server().streams()) {
      StreamRecord.Spec spec = stream.spec().orElseThrow();
      assertEquals(OptionalLong.of(6), spec.ifGenerationMatch());
      assertEquals(OptionalLong.of(5), spec.ifGenerationNotMatch());
      assertEquals(Bytes.of(key), spec.encryptionKey().orElseThrow().key());
      List<Boolean> withSpec =
          stream.messages().stream().map(StreamRecord.Message::hasSpec).toList();
      assertEquals(0, withSpec.indexOf(true));
      assertEquals(0, withSpec.lastIndexOf(true));
    }
  }

  @Test
  void b98_preconditionOfNoLiveVersionIsSent() {
    gcs.put(100);
    PreconditionFailedException e =
        failure(
            PreconditionFailedException.class, gcs.open(options().ifGenerationMatch(0)).opened());
    assertEquals(StatusCode.FAILED_PRECONDITION, e.status());
    assertEquals(1, gcs.server().streams().size());
  }

  /** The public types are checked by PublicApiTest, the class path by RuntimeClasspathTest. */
  @Test
  void b100_noTypeOfADependencyIsNeededToReadAndFail() {
    Set<String> allowed = Set.of("java.", "io.github.gcsmrd.", "com.google.auth.");
    for (Class<?> type :
        List.of(GcsClient.class, MultiRangeDownloader.class, MrdOptions.class, Download.class)) {
      for (var method : type.getMethods()) {
        Stream.concat(Stream.of(method.getReturnType()), Stream.of(method.getParameterTypes()))
            .filter(used -> !used.isPrimitive() && !used.isArray())
            .forEach(
                used ->
                    assertTrue(
                        allowed.stream().anyMatch(used.getName()::startsWith),
                        () -> method + " uses " + used));
      }
    }
  }

  /** The stream asks for messages ahead: the server can send on while the first is in a sink. */
  @Test
  void b101_messagesComeAhead() throws Exception {
    ObjectContent content = gcs.put(100);
    CountDownLatch second = new CountDownLatch(1);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .chunkBytes(10)
                .at(When.sent(60), StreamAction.run(second::countDown))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.to(
                    chunk -> {
                      if (!second.await(20, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("the server was not asked for more");
                      }
                    },
                    ByteRange.of(0, (int) content.size()))));
    assertEquals(100, get(download).get(0).length());
  }
}
