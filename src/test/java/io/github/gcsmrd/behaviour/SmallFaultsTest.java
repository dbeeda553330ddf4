// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.OAuth2Credentials;
import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import com.google.storage.v2.BidiReadObjectError;
import com.google.storage.v2.ReadRangeError;
import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StatusDetails;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is said beside a failure, and what must not be made of it. */
@Timeout(60)
class SmallFaultsTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  /** Gives t1, t2, ...; one renewal may fail. */
  private static final class Tokens extends OAuth2Credentials {
    private static final long serialVersionUID = 1L;
    private final AtomicInteger asked = new AtomicInteger();
    private final int failing;

    Tokens(int failing) {
      this.failing = failing;
    }

    @Override
    public AccessToken refreshAccessToken() throws IOException {
      int number = asked.incrementAndGet();
      if (number == failing) {
        throw new IOException("token endpoint: 503");
      }
      return new AccessToken("t" + number, Date.from(Instant.now().plusSeconds(3_600)));
    }
  }

  private void connect(Tokens tokens) throws IOException {
    gcs.serve(FakeGcs.builder().tls());
    gcs.connect(GcsClient.builder().credentials(tokens));
  }

  /** The status of a stream, with an entry of another code for the first range asked for. */
  private static StatusDetails details(StatusCode code, StatusCode entry) {
    Status named = Status.newBuilder().setCode(entry.value()).setMessage("named").build();
    BidiReadObjectError error =
        BidiReadObjectError.newBuilder()
            .addReadRangeErrors(ReadRangeError.newBuilder().setReadId(1).setStatus(named))
            .build();
    ErrorInfo info = ErrorInfo.newBuilder().setReason("ORG_POLICY").setDomain("storage").build();
    return StatusDetails.raw(
        Status.newBuilder()
            .setCode(code.value())
            .addDetails(Any.pack(error))
            .addDetails(Any.pack(info))
            .build()
            .toByteArray());
  }

  private static StreamScript failsFirst(StatusCode code, StatusCode entry) {
    return StreamScript.at(
        When.rangesReceived(1), StreamAction.end(code, "by the test", details(code, entry)));
  }

  @Test
  void b97_aRenewalThatFailsOnceIsTriedAgain() throws Exception {
    connect(new Tokens(2));
    ObjectContent content = gcs.put(100);
    gcs.server().requireToken("t1");
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 0, 10);
    gcs.server().requireToken("t3");
    gcs.server().perform(1, StreamAction.end(StatusCode.UNAVAILABLE));
    gcs.assertReads(mrd, content, 40, 10);
  }

  @Test
  void b97_anExpiredTokenThatIsNamedForEachRangeIsRenewed() throws Exception {
    connect(new Tokens(0));
    ObjectContent content = gcs.put(1_000);
    gcs.server().onStream(1, failsFirst(StatusCode.UNAUTHENTICATED, StatusCode.UNAUTHENTICATED));
    gcs.assertReads(gcs.opened(), content, 900, 10);
  }

  @Test
  void b46_aPermanentStatusIsNotRetriedForEntriesThatAreOk() {
    gcs.put(1_000);
    gcs.server().onEveryStream(failsFirst(StatusCode.PERMISSION_DENIED, StatusCode.OK));
    failure(GcsException.class, gcs.opened().read(ByteRange.of(900, 10)));
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void aRangesErrorKeepsWhatElseTheServerSaid() {
    gcs.put(1_000);
    gcs.server().onStream(1, failsFirst(StatusCode.OUT_OF_RANGE, StatusCode.PERMISSION_DENIED));
    GcsException failure = failure(GcsException.class, gcs.opened().read(ByteRange.of(900, 10)));
    assertTrue(failure.context().serverDetails().toString().contains("ORG_POLICY"));
  }

  @Test
  void aRangeThatWasAskedForAgainSaysHowLongAndWhatHappened() {
    gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(500),
            RangeScript.builder().fail(0, StatusCode.UNAVAILABLE, "busy").build());
    RetryPolicy quick =
        RetryPolicy.builder().initialDelay(Duration.ofMillis(100)).jitter(false).build();
    MultiRangeDownloader mrd = gcs.opened(MrdOptions.builder().retryPolicy(quick));
    RangeException failure = failure(RangeException.class, mrd.read(ByteRange.of(500, 10)));
    assertTrue(failure.context().elapsed().toMillis() >= 300, failure.context().toString());
    assertEquals(3, failure.getSuppressed().length);
    String first = failure.getSuppressed()[0].getMessage();
    assertTrue(first.contains("busy"), first);
  }

  /** Only bytes of a range that was given up are on their way, a TiB of them. */
  @Test
  void rule37_aStreamThatBringsOnlyWhatWasGivenUpIsEnded() throws Exception {
    gcs.server().put("bucket", "object", ObjectContent.generated(1, 1L << 40));
    AtomicBoolean much = new AtomicBoolean();
    gcs.server()
        .onStream(
            1, StreamScript.at(When.sent(256L << 20), StreamAction.run(() -> much.set(true))));
    MultiRangeDownloader mrd = gcs.opened();
    CountDownLatch first = new CountDownLatch(1);
    Download download =
        mrd.downloadRanges(
            List.of(RangeRequest.to(chunk -> first.countDown(), ByteRange.all()).onEventLoop()));
    assertTrue(first.await(20, TimeUnit.SECONDS));
    download.cancel(true);
    gcs.server().awaitNoOpenStreams(Duration.ofSeconds(20));
    assertFalse(much.get(), "256 MiB came for nobody");
    assertEquals(10, mrd.read(ByteRange.of(5, 10)).get(20, TimeUnit.SECONDS).length);
  }
}
