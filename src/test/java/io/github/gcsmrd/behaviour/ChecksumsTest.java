// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Checksums;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.DownloadOptions;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeObject;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksums of chunks and of the whole object; content encodings. */
@Timeout(60)
class ChecksumsTest {
  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  private RangeResult result(MultiRangeDownloader mrd, ByteRange range) {
    return get(mrd.downloadRanges(List.of(RangeRequest.into(new byte[100], 0, range)))).get(0);
  }

  private void faulty(RangeMatch ranges, ChunkFault fault) {
    gcs.server().onRange(ranges, RangeScript.chunk(ChunkMatch.index(0), fault));
  }

  @Test
  void b58_wholeObjectChecksumIsNotThatOfARange() {
    ObjectContent content = gcs.put(64);
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, content, 0, 10);
    gcs.assertReads(mrd, content, 10, 54);
    assertRange(content, 54, 10, get(mrd.read(ByteRange.last(10))));
    assertRange(content, 1, 63, get(mrd.read(ByteRange.from(1))));
  }

  @Test
  void b59_wholeObjectIsCheckedAtItsEnd() {
    FakeObject object = gcs.put(64, ObjectOptions.builder().crc32c(12_345).build());
    gcs.server().onEveryStream(StreamScript.builder().chunkBytes(10).build());
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> part = mrd.read(ByteRange.of(5, 20));
    DataCorruptionException e = failure(DataCorruptionException.class, mrd.read(ByteRange.all()));
    assertEquals(12_345, e.expectedCrc32c());
    assertEquals(object.content().size(), e.context().bytesDelivered());
    assertEquals(StatusCode.DATA_LOSS, e.status());
    assertRange(object.content(), 5, 20, get(part));
    gcs.assertReads(mrd, object.content(), 0, 10);
    assertEquals(1, gcs.server().streams().size());
    assertEquals(3, gcs.server().stream(1).ranges().size());
  }

  /** Every way to read the whole object is checked as a whole. */
  @Test
  void b59_wholeObjectByAnyRange() {
    gcs.put(64, ObjectOptions.builder().crc32c(12_345).build());
    MultiRangeDownloader mrd = gcs.opened();
    failure(DataCorruptionException.class, mrd.read(ByteRange.of(0, 64)));
    failure(DataCorruptionException.class, mrd.read(ByteRange.of(0, 1_000)));
    failure(DataCorruptionException.class, mrd.read(ByteRange.from(0)));
  }

  @Test
  void b59_wholeObjectCheckOfUncheckedChunks() {
    FakeObject object = gcs.put(64, ObjectOptions.defaults());
    gcs.server()
        .onRange(RangeMatch.any(), RangeScript.chunk(ChunkMatch.all(), ChunkFault.absentCrc32c()));
    RangeResult whole = result(gcs.opened(), ByteRange.all());
    assertTrue(whole.verified());
    assertRange(object.content(), 0, 64, whole.buffer().orElseThrow());
  }

  @Test
  void b59_flippedBitWithMatchingChecksumIsFoundByTheWhole() {
    gcs.put(64);
    faulty(RangeMatch.any(), ChunkFault.flippedBitWithMatchingCrc32c());
    failure(DataCorruptionException.class, gcs.opened().read(ByteRange.all()));
  }

  @Test
  void b60_overlapAfterAResumeIsCountedOnce() {
    ObjectContent content = gcs.put(64);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .chunkBytes(7)
                .at(When.sent(30), StreamAction.end(StatusCode.UNAVAILABLE))
                .build())
        .onRange(RangeMatch.offset(30), RangeScript.builder().chunkBytes(12).overlap(0, 5).build());
    RangeResult whole = result(gcs.opened(), ByteRange.all());
    assertTrue(whole.verified());
    assertRange(content, 0, 64, whole.buffer().orElseThrow());
    assertEquals(30, gcs.server().stream(2).ranges().get(0).offset());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b61_badChunkIsRepairedOnTheSameStream(boolean flipped) {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(100).once(),
            RangeScript.builder()
                .chunkBytes(10)
                .chunk(
                    ChunkMatch.index(2),
                    flipped ? ChunkFault.flippedBit() : ChunkFault.wrongCrc32c())
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    byte[] bad = new byte[100];
    byte[] good = new byte[300];
    get(
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(bad, 0, ByteRange.of(100, 100)),
                RangeRequest.into(good, 0, ByteRange.of(500, 300)))));
    assertRange(content, 100, 100, bad);
    assertRange(content, 500, 300, good);
    assertEquals(1, gcs.server().streams().size());
    List<StreamRecord.Range> asked = gcs.server().stream(1).ranges();
    assertEquals(3, asked.size());
    assertEquals(120, asked.get(2).offset());
    assertEquals(80, asked.get(2).length());
    assertTrue(asked.stream().map(StreamRecord.Range::readId).distinct().count() == 3);
  }

  @Test
  void b61_badForEverFailsAlone() {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.offset(100),
            RangeScript.builder()
                .chunkBytes(10)
                .chunk(ChunkMatch.index(0), ChunkFault.wrongCrc32c())
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> good = mrd.read(ByteRange.of(500, 300));
    DataCorruptionException e =
        failure(DataCorruptionException.class, mrd.read(ByteRange.of(100, 100)));
    assertEquals(100, e.offset());
    assertEquals(0, e.context().bytesDelivered());
    assertEquals(ByteRange.of(100, 100), e.context().range().orElseThrow());
    assertRange(content, 500, 300, get(good));
    gcs.assertReads(mrd, content, 0, 10);
    assertEquals(1, gcs.server().streams().size());
    assertTrue(gcs.server().stream(1).ranges().size() <= 8);
  }

  /** A repair is forgiven once bytes were delivered: each chunk may be bad a few times. */
  @Test
  void b61_repairBudgetIsThatSinceTheLastByte() {
    ObjectContent content = gcs.put(1_000);
    gcs.server()
        .onRange(
            RangeMatch.any(),
            RangeScript.builder()
                .chunkBytes(10)
                .chunk(ChunkMatch.index(1), ChunkFault.wrongCrc32c())
                .build());
    gcs.assertReads(gcs.opened(), content, 0, 100);
    assertEquals(10, gcs.server().stream(1).ranges().size());
  }

  @Test
  void b62_optOutSkipsTheCheck() {
    gcs.put(64, ObjectOptions.builder().crc32c(12_345).build());
    faulty(RangeMatch.any(), ChunkFault.flippedBit());
    MultiRangeDownloader mrd = gcs.opened();
    DownloadOptions off = DownloadOptions.builder().checksums(Checksums.OFF).build();
    Download download =
        mrd.downloadRanges(List.of(RangeRequest.into(new byte[64], 0, ByteRange.all())), off);
    RangeResult unchecked = get(download).get(0);
    assertEquals(64, unchecked.length());
    assertFalse(unchecked.verified());
    assertEquals(1, gcs.server().stream(1).ranges().size());
    failure(DataCorruptionException.class, mrd.read(ByteRange.all()));
  }

  /** Shown by chunks that the pool would hash: its threads start with the first of them. */
  @Test
  void b62_optOutSkipsTheHashing() {
    gcs.connect(GcsClient.builder().noCredentials().crc32cOffload(true));
    ObjectContent content = gcs.put(8 << 20);
    MultiRangeDownloader mrd = gcs.opened();
    Set<Thread> before = ClientThreads.named("gcs-mrd-crc32c-");
    byte[] bytes = new byte[(int) content.size()];
    List<RangeRequest> all = List.of(RangeRequest.into(bytes, 0, ByteRange.all()));
    get(mrd.downloadRanges(all, DownloadOptions.builder().checksums(Checksums.OFF).build()));
    assertRange(content, 0, bytes.length, bytes);
    Set<Thread> off = ClientThreads.named("gcs-mrd-crc32c-");
    off.removeAll(before);
    assertEquals(Set.of(), off);
    get(mrd.downloadRanges(all));
    Set<Thread> on = ClientThreads.named("gcs-mrd-crc32c-");
    on.removeAll(before);
    assertFalse(on.isEmpty());
  }

  @Test
  void b63_absentChecksumIsAccepted() {
    ObjectContent content = gcs.put(100);
    faulty(RangeMatch.any(), ChunkFault.absentCrc32c());
    MultiRangeDownloader mrd = gcs.opened();
    RangeResult result = result(mrd, ByteRange.of(10, 20));
    assertRange(content, 10, 20, result.buffer().orElseThrow());
    assertFalse(result.verified());
    assertEquals(1, gcs.server().stream(1).ranges().size());
  }

  @Test
  void b63_presentZeroIsAValue() {
    gcs.put(100);
    faulty(RangeMatch.any(), ChunkFault.zeroCrc32c());
    DataCorruptionException e =
        failure(DataCorruptionException.class, gcs.opened().read(ByteRange.of(10, 20)));
    assertEquals(0, e.expectedCrc32c());
  }

  /** Ten thousand, a hundred at a time: memory and the leak detector show the rest. */
  @Test
  void b64_failingOverAndOverLeavesNothing() {
    gcs.put(200);
    faulty(RangeMatch.any(), ChunkFault.wrongCrc32c());
    MultiRangeDownloader mrd = gcs.opened();
    List<CompletableFuture<byte[]>> bad = new ArrayList<>();
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < 100; i++) {
        bad.add(mrd.read(ByteRange.of(i, 20)));
      }
      bad.forEach(read -> failure(DataCorruptionException.class, read));
      bad.clear();
    }
    assertEquals(1, gcs.server().streams().size());
  }

  /** Thousands of calls that end while they are opened, some on their way, some answered. */
  @Test
  void b64_openTimeoutsOverAndOverLeaveNothing() throws Exception {
    gcs.put(100);
    gcs.server().onEveryStream(StreamScript.at(When.called(), StreamAction.hold(gcs.gate())));
    MrdOptions brief =
        options().openTimeout(Duration.ofMillis(1)).retryPolicy(RetryPolicy.never()).build();
    List<MultiRangeDownloader> opening = new ArrayList<>();
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 100; i++) {
        opening.add(gcs.client().createMrd(GcsMrdFixture.BUCKET, GcsMrdFixture.OBJECT, brief));
      }
      for (MultiRangeDownloader mrd : opening) {
        failure(SessionException.class, mrd.opened());
        mrd.closeAsync();
      }
      opening.clear();
    }
    gcs.server().awaitNoOpenStreams(SOON);
  }

  @Test
  void b65_encodedObjectsAreReadAsStored() {
    FakeObject object = gcs.put(64, ObjectOptions.builder().contentEncoding("gzip").build());
    MultiRangeDownloader mrd = gcs.open();
    RangeResult whole = result(mrd, ByteRange.all());
    assertEquals(64, whole.length());
    assertTrue(whole.verified());
    assertRange(object.content(), 0, 64, whole.buffer().orElseThrow());
    assertEquals("gzip", get(mrd.opened()).contentEncoding());
    gcs.assertReads(mrd, object.content(), 3, 10);
  }
}
