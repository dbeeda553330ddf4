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
import io.github.gcsmrd.Download;
import io.github.gcsmrd.GenerationChangedException;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.ObjectNotFoundException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.ReadHandle;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeObject;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamRecord;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.StreamScript.Order;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Appendable objects, and which generation is read. */
@Timeout(60)
class GenerationsTest {
  private static final ObjectOptions APPENDABLE = ObjectOptions.builder().appendable().build();

  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  @Test
  void b31_readsBeyondTheSizeSeenAtOpen() {
    FakeObject object = gcs.put(50, APPENDABLE);
    MultiRangeDownloader mrd = gcs.open();
    assertEquals(50, get(mrd.opened()).sizeBytes().orElseThrow());
    object.append(new byte[30]);
    assertEquals(30, get(mrd.read(ByteRange.of(50, 100))).length);
    StreamRecord.Range asked = gcs.server().stream(1).ranges().get(0);
    assertEquals(50, asked.offset());
    assertEquals(100, asked.length());
  }

  @Test
  void b33_sizeIsThatOfTheAnswerAndNothingElseIsCalled() {
    gcs.put(50, APPENDABLE);
    ObjectInfo info = get(gcs.open().opened());
    assertEquals(50, info.sizeBytes().orElseThrow());
    assertFalse(info.isFinalized());
    // The server knows no other method: a call of one would fail the open.
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b34_wholeObjectCheckWaitsForTheFinalizedObject() {
    FakeObject object = gcs.put(64, ObjectOptions.builder().appendable().crc32c(12_345).build());
    MultiRangeDownloader mrd = gcs.open();
    assertRange(object.content(), 0, 64, get(mrd.read(ByteRange.all())));
  }

  @Test
  void b34_chunksOfUnfinalizedObjectsAreChecked() {
    FakeObject object = gcs.put(64, ObjectOptions.builder().appendable().crc32c(12_345).build());
    gcs.server()
        .onRange(
            RangeMatch.offset(0).once(),
            RangeScript.chunk(ChunkMatch.all(), ChunkFault.flippedBit()));
    Download download =
        gcs.open().downloadRanges(List.of(RangeRequest.into(new byte[64], 0, ByteRange.of(0, 64))));
    RangeResult result = get(download).get(0);
    assertTrue(result.verified());
    assertRange(object.content(), 0, 64, result.buffer().orElseThrow());
    assertEquals(2, gcs.server().stream(1).ranges().size());
  }

  @Test
  void b35_anotherGenerationFailsTheSession() throws Exception {
    ObjectContent content = gcs.put(1_000);
    Gate early = gcs.gate();
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .order(Order.SEQUENTIAL)
                .chunkBytes(10)
                .at(When.sent(30), StreamAction.hold(early))
                .build())
        .onStream(2, StreamScript.builder().metadataGeneration(2).build());
    MultiRangeDownloader mrd = gcs.opened();
    byte[] first = new byte[100];
    byte[] second = new byte[100];
    Download download =
        mrd.downloadRanges(
            List.of(
                RangeRequest.into(first, 0, ByteRange.of(0, 100)),
                RangeRequest.into(second, 0, ByteRange.of(500, 100))));
    early.awaitReached(SOON);
    gcs.server().perform(1, StreamAction.end(StatusCode.UNAVAILABLE));
    GenerationChangedException e = failure(GenerationChangedException.class, download.range(0));
    assertEquals(30, e.context().bytesDelivered());
    failure(GenerationChangedException.class, download.range(1));
    failure(GenerationChangedException.class, mrd.read(ByteRange.of(0, 10)));
    get(download.quiesced());
    assertEquals(1, gcs.server().stream(2).spec().orElseThrow().generation());
    assertRange(content, 0, 30, ByteBuffer.wrap(first, 0, 30).slice());
    assertEquals(ByteBuffer.allocate(70), ByteBuffer.wrap(first, 30, 70).slice());
    assertEquals(ByteBuffer.allocate(100), ByteBuffer.wrap(second));
  }

  /** The server knows the pinned generation no more. */
  @Test
  void b35_replacedObjectIsNotMixed() {
    gcs.put(1_000);
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .at(When.sent(30), StreamAction.run(() -> gcs.put(1_000)))
                .at(When.sent(30), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    ObjectNotFoundException e =
        failure(ObjectNotFoundException.class, gcs.opened().read(ByteRange.of(0, 100)));
    assertEquals(1, e.context().generation().orElseThrow());
    assertEquals(30, e.context().bytesDelivered());
  }

  private List<Long> generationsAsked() {
    return gcs.server().streams().stream()
        .map(stream -> stream.spec().orElseThrow().generation())
        .toList();
  }

  @Test
  void b36_generationAskedForStays() {
    FakeObject object = gcs.put(100, ObjectOptions.builder().generation(7).build());
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onStream(2, StreamScript.at(When.sent(2), StreamAction.redirect("token")));
    MultiRangeDownloader mrd = gcs.open(options().generation(7));
    gcs.assertReads(mrd, object.content(), 0, 10);
    assertEquals(7, get(mrd.opened()).generation().orElseThrow());
    assertEquals(List.of(7L, 7L, 7L), generationsAsked());
  }

  @Test
  void b36_generationOfTheFirstAnswerIsPinned() {
    FakeObject object = gcs.put(100, ObjectOptions.builder().generation(9).build());
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)));
    MultiRangeDownloader mrd = gcs.open();
    gcs.assertReads(mrd, object.content(), 0, 10);
    assertEquals(9, get(mrd.opened()).generation().orElseThrow());
    assertEquals(List.of(0L, 9L), generationsAsked());
  }

  @Test
  void readHandlePinsItsGeneration() {
    FakeObject object = gcs.put(100, ObjectOptions.builder().generation(9).build());
    MultiRangeDownloader first = gcs.opened();
    gcs.assertReads(first, object.content(), 0, 10);
    ReadHandle handle = first.readHandle().orElseThrow();
    assertEquals(9, handle.generation().orElseThrow());
    MultiRangeDownloader second = gcs.open(options().readHandle(handle));
    gcs.assertReads(second, object.content(), 0, 10);
    assertEquals(9, get(second.opened()).generation().orElseThrow());
    assertEquals(9, gcs.server().stream(2).spec().orElseThrow().generation());
  }

  /** Nobody can tell what a stream without any generation read: nothing may be joined to it. */
  @Test
  void unknownGenerationIsNotContinuedUnderAnother() {
    gcs.put(100);
    ReadHandle handle =
        ReadHandle.of(
            GcsMrdFixture.BUCKET,
            GcsMrdFixture.OBJECT,
            OptionalLong.empty(),
            "stored".getBytes(StandardCharsets.UTF_8));
    gcs.server()
        .onStream(1, StreamScript.at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onStream(2, StreamScript.builder().metadataEvenWithHandle().build());
    GenerationChangedException e =
        failure(
            GenerationChangedException.class,
            gcs.open(options().readHandle(handle)).read(ByteRange.of(0, 10)));
    assertEquals(4, e.context().bytesDelivered());
  }

  @Test
  void metagenerationIsNotAskedForOnceOpen() {
    FakeObject object = gcs.put(100, ObjectOptions.builder().metageneration(3).build());
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .at(When.sent(4), StreamAction.run(object::updateMetadata))
                .at(When.sent(4), StreamAction.end(StatusCode.UNAVAILABLE))
                .build());
    MultiRangeDownloader mrd = gcs.open(options().ifMetagenerationMatch(3));
    gcs.assertReads(mrd, object.content(), 0, 10);
    assertEquals(
        OptionalLong.of(3), gcs.server().stream(1).spec().orElseThrow().ifMetagenerationMatch());
    assertEquals(
        OptionalLong.empty(), gcs.server().stream(2).spec().orElseThrow().ifMetagenerationMatch());
  }
}
