// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.behaviour;

import static io.github.gcsmrd.behaviour.GcsMrdFixture.SOON;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.assertRange;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.await;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.failure;
import static io.github.gcsmrd.behaviour.GcsMrdFixture.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Chunk;
import io.github.gcsmrd.DataCorruptionException;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.DownloadException;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.leaks.LeakLog;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.Gate;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import io.github.gcsmrd.testing.StreamAction;
import io.github.gcsmrd.testing.StreamScript;
import io.github.gcsmrd.testing.When;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory: who owns it, and that it is given back. The fixture checks that none stays pinned. */
@Timeout(60)
class MemoryTest {
  private static final int MIB = 1 << 20;

  @RegisterExtension final GcsMrdFixture gcs = new GcsMrdFixture();

  private static RangeScript held(Gate gate) {
    return RangeScript.builder().hold(0, gate).build();
  }

  @Test
  void b66_piecesOfSeveralRangesInOneResponse() throws Exception {
    ObjectContent content = gcs.put(100);
    gcs.server().onRange(RangeMatch.any(), held(gcs.gate()));
    MultiRangeDownloader mrd = gcs.opened();
    CompletableFuture<byte[]> first = mrd.read(ByteRange.of(0, 20));
    gcs.server().awaitRanges(1, SOON);
    CompletableFuture<byte[]> second = mrd.read(ByteRange.of(50, 10));
    gcs.server().awaitRanges(2, SOON);
    long one = gcs.server().stream(1).ranges().get(0).readId();
    long two = gcs.server().stream(1).ranges().get(1).readId();
    gcs.server()
        .perform(
            1,
            RawResponses.response(
                RawResponses.piece(one, content, 0, 8, false),
                RawResponses.piece(two, content, 50, 10, true),
                RawResponses.piece(one, content, 8, 12, true)));
    assertRange(content, 0, 20, get(first));
    assertRange(content, 50, 10, get(second));
  }

  /** Ends a session in the middle of everything, over and over. */
  @Test
  void b68_everyWayToEndGivesMemoryBack() throws Exception {
    long seed = 68;
    Random random = new Random(seed);
    ObjectContent content = gcs.put(4 * MIB);
    for (int i = 1; i <= 60; i++) {
      gcs.server().onStream(i, mishap(random));
    }
    for (int session = 0; session < 10; session++) {
      MultiRangeDownloader mrd = gcs.open();
      List<CompletableFuture<byte[]>> reads = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        CompletableFuture<byte[]> read =
            mrd.read(ByteRange.of(random.nextInt(4 * MIB), 1 + random.nextInt(100_000)));
        reads.add(read);
        if (random.nextInt(10) == 0) {
          read.cancel(false);
        }
      }
      if (session % 2 == 0) {
        await("end of all reads", () -> reads.stream().allMatch(CompletableFuture::isDone));
      }
      get(mrd.closeAsync());
      await("end of all reads", () -> reads.stream().allMatch(CompletableFuture::isDone));
    }
    await("end of pinned memory, seed " + seed, () -> gcs.client().pinnedBytes() == 0);
    assertEquals(4 * MIB, content.size());
  }

  private static StreamScript mishap(Random random) {
    RangeScript.Builder ranges = RangeScript.builder().chunkBytes(30_000);
    switch (random.nextInt(4)) {
      case 0 -> ranges.chunk(ChunkMatch.index(1), ChunkFault.wrongCrc32c());
      case 1 -> ranges.endAfter(25_000);
      case 2 -> ranges.gap(5, 7);
      default -> ranges.surplus(9);
    }
    long when = 1 + random.nextInt(3 * MIB);
    StreamAction end =
        random.nextBoolean()
            ? StreamAction.redirect("T")
            : StreamAction.end(StatusCode.UNAVAILABLE);
    return StreamScript.builder()
        .ranges(ranges.build())
        .piecesPerResponse(1 + random.nextInt(4))
        .at(When.sent(when), end)
        .build();
  }

  @Test
  void b69_closeReleasesWhatNobodyTook() throws Exception {
    gcs.put(64 * MIB);
    MultiRangeDownloader mrd = gcs.opened();
    CountDownLatch blocked = new CountDownLatch(1);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      requests.add(
          RangeRequest.to(chunk -> blocked.await(), ByteRange.of(i * 10L * MIB, 10 * MIB)));
    }
    Download download = mrd.downloadRanges(requests);
    await("48 MiB that wait", () -> gcs.client().pinnedBytes() > 48 * MIB);
    gcs.client().close();
    failure(DownloadException.class, download);
    for (int i = 0; i < 6; i++) {
      failure(SessionClosedException.class, download.range(i));
    }
    // What remains is the chunk that each sink is at, 12 MiB with about as much or twice around it.
    await("release of all else", () -> gcs.client().pinnedBytes() < 40 * MIB);
    blocked.countDown();
    await("release of the rest", () -> gcs.client().pinnedBytes() == 0);
  }

  /** A thousand, ten at a time, with chunks on the way, at the sink and in its queue. */
  @Test
  void b70_cancelWithMessagesInFlight() throws Exception {
    gcs.serve(FakeGcs.builder().chunkBytes(MIB / 16));
    ObjectContent content = gcs.put(MIB);
    MultiRangeDownloader mrd = gcs.opened();
    List<Download> flowing = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      CountDownLatch chunks = new CountDownLatch(10 + i % 20);
      for (int k = 0; k < 10; k++) {
        ByteRange range = ByteRange.of(i * 100L + k, MIB / 2);
        flowing.add(
            mrd.downloadRanges(List.of(RangeRequest.to(chunk -> chunks.countDown(), range))));
      }
      assertTrue(chunks.await(20, TimeUnit.SECONDS));
      flowing.forEach(download -> download.cancel(false));
      for (Download download : flowing) {
        get(download.quiesced());
      }
      flowing.clear();
      if (i % 10 == 0) {
        LeakLog.collect();
      }
    }
    LeakLog.collect();
    gcs.assertReads(mrd, content, 5, 100);
    assertEquals(1, gcs.server().streams().size());
  }

  @Test
  void b71_closedChunkSaysSo() {
    ObjectContent content = gcs.put(MIB);
    Queue<Chunk> given = new ConcurrentLinkedQueue<>();
    Queue<Chunk> retained = new ConcurrentLinkedQueue<>();
    Download download =
        gcs.open()
            .downloadRanges(
                List.of(
                    RangeRequest.to(
                        chunk -> {
                          given.add(chunk);
                          retained.add(chunk.retain());
                        },
                        ByteRange.all())));
    get(download);
    ByteBuffer copy = ByteBuffer.allocate(MIB);
    for (Chunk chunk : given) {
      assertThrows(IllegalStateException.class, chunk::buffers);
      assertThrows(IllegalStateException.class, chunk::retain);
      assertThrows(IllegalStateException.class, () -> chunk.copyTo(ByteBuffer.allocate(MIB)));
    }
    for (Chunk chunk : retained) {
      chunk.copyTo(copy);
      chunk.close();
      chunk.close();
      assertThrows(IllegalStateException.class, chunk::buffers);
    }
    assertRange(content, 0, MIB, copy.flip());
  }

  @Test
  void b71_retainedChunkOutlivesSessionAndClient() {
    ObjectContent content = gcs.put(MIB);
    Queue<Chunk> retained = new ConcurrentLinkedQueue<>();
    Download download =
        gcs.open()
            .downloadRanges(
                List.of(RangeRequest.to(chunk -> retained.add(chunk.retain()), ByteRange.all())));
    get(download);
    gcs.client().close();
    ByteBuffer copy = ByteBuffer.allocate(MIB);
    for (Chunk chunk : retained) {
      chunk.copyTo(copy);
      chunk.close();
    }
    assertRange(content, 0, MIB, copy.flip());
  }

  @Test
  void b72_resultsStartAtZeroAndShareNothing() {
    ObjectContent content = gcs.put(100);
    ByteBuffer destination = ByteBuffer.allocate(50).position(5);
    ByteBuffer direct = ByteBuffer.allocateDirect(30);
    List<RangeResult> results =
        get(
            gcs.open()
                .downloadRanges(
                    List.of(
                        RangeRequest.into(destination, ByteRange.of(10, 20)),
                        RangeRequest.into(destination.slice(25, 20), ByteRange.of(40, 20)),
                        RangeRequest.into(direct, ByteRange.of(80, 30)))));
    int[] offsets = {10, 40, 80};
    for (int i = 0; i < 3; i++) {
      ByteBuffer buffer = results.get(i).buffer().orElseThrow();
      assertEquals(0, buffer.position());
      assertRange(content, offsets[i], 20, buffer);
    }
    assertEquals(5, destination.position());
    assertEquals(50, destination.limit());
    results.get(0).buffer().orElseThrow().position(7);
    assertEquals(0, results.get(1).buffer().orElseThrow().position());
    assertEquals(5, destination.position());
  }

  /** Counts what is allocated and released; each buffer must be released or be in a result. */
  private static final class CountingAllocator {
    private final Set<ByteBuffer> out =
        Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>()));
    private final AtomicInteger allocated = new AtomicInteger();

    RangeRequest request(ByteRange range) {
      return RangeRequest.allocate(range, this::allocate, this::release);
    }

    private ByteBuffer allocate(int length) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(length);
      allocated.incrementAndGet();
      out.add(buffer);
      return buffer;
    }

    private void release(ByteBuffer buffer) {
      if (!out.remove(buffer)) {
        throw new IllegalStateException("released twice, or never allocated: " + buffer);
      }
    }
  }

  @Test
  void b74_allocatedBufferIsInTheResultOrReleased() throws Exception {
    ObjectContent content = gcs.put(1_000);
    CountingAllocator allocator = new CountingAllocator();
    Gate never = gcs.gate();
    gcs.server()
        .onStream(
            1, StreamScript.at(When.rangesReceived(4), StreamAction.end(StatusCode.UNAVAILABLE)))
        .onRange(RangeMatch.offset(100), RangeScript.builder().hold(0, never).build())
        .onRange(
            RangeMatch.offset(200), RangeScript.chunk(ChunkMatch.all(), ChunkFault.wrongCrc32c()));
    MultiRangeDownloader mrd = gcs.opened();
    Download download =
        mrd.downloadRanges(
            List.of(
                allocator.request(ByteRange.of(0, 50)),
                allocator.request(ByteRange.of(100, 50)),
                allocator.request(ByteRange.of(200, 50)),
                allocator.request(ByteRange.from(900))));
    RangeResult good = get(download.range(0));
    RangeResult tail = get(download.range(3));
    failure(DataCorruptionException.class, download.range(2));
    never.awaitReached(SOON);
    assertTrue(download.range(1).cancel(false), () -> download.range(1).toString());
    get(download.quiesced());
    assertEquals(4, allocator.allocated.get());
    assertRange(content, 0, 50, good.buffer().orElseThrow());
    assertRange(content, 900, 100, tail.buffer().orElseThrow());
    assertEquals(2, allocator.out.size());
    assertTrue(allocator.out.contains(good.buffer().orElseThrow()));
    assertTrue(allocator.out.contains(tail.buffer().orElseThrow()));
  }

  @Test
  void b74_closeReleasesAllocatedBuffers() throws Exception {
    gcs.put(1_000);
    CountingAllocator allocator = new CountingAllocator();
    gcs.server().onRange(RangeMatch.any(), RangeScript.builder().hold(5, gcs.gate()).build());
    MultiRangeDownloader mrd = gcs.opened();
    Download download =
        mrd.downloadRanges(
            List.of(allocator.request(ByteRange.of(0, 50)), allocator.request(ByteRange.all())));
    gcs.server().awaitRanges(2, SOON);
    mrd.close();
    failure(SessionClosedException.class, download.range(0));
    failure(SessionClosedException.class, download.range(1));
    get(download.quiesced());
    assertEquals(2, allocator.allocated.get());
    assertEquals(Set.of(), allocator.out);
  }

  @Test
  void b74_throwingAllocatorFailsItsRangeAlone() {
    ObjectContent content = gcs.put(1_000);
    CountingAllocator allocator = new CountingAllocator();
    IllegalStateException full = new IllegalStateException("no memory");
    Download download =
        gcs.opened()
            .downloadRanges(
                List.of(
                    allocator.request(ByteRange.of(0, 50)),
                    RangeRequest.allocate(
                        ByteRange.of(100, 50),
                        length -> {
                          throw full;
                        },
                        buffer -> {}),
                    allocator.request(ByteRange.of(200, 50))));
    assertSame(full, failure(IllegalStateException.class, download.range(1)));
    assertRange(content, 0, 50, get(download.range(0)).buffer().orElseThrow());
    assertRange(content, 200, 50, get(download.range(2)).buffer().orElseThrow());
  }

  @Test
  void b77_responseOfSixMebibytes() {
    ObjectContent content = gcs.put(8 * MIB);
    Gate together = gcs.gate();
    gcs.server()
        .onStream(
            1,
            StreamScript.builder()
                .piecesPerResponse(3)
                .at(When.answered(), StreamAction.hold(together))
                .build());
    MultiRangeDownloader mrd = gcs.opened();
    ByteBuffer all = ByteBuffer.allocate(6 * MIB);
    List<RangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      requests.add(
          RangeRequest.into(all.slice(i * 2 * MIB, 2 * MIB), ByteRange.of(i * 2L * MIB, 2 * MIB)));
    }
    Download download = mrd.downloadRanges(requests);
    together.open();
    get(download);
    assertRange(content, 0, 6 * MIB, all);
    assertEquals(1, gcs.server().streams().size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b78_destinationIsNotTouchedAfterItsEnd(boolean direct) throws Exception {
    ObjectContent content = gcs.put(1_000);
    Gate rest = gcs.gate();
    gcs.server().onRange(RangeMatch.offset(0), RangeScript.builder().hold(10, rest).build());
    MultiRangeDownloader mrd = gcs.opened();
    ByteBuffer destination = direct ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
    Download given =
        mrd.downloadRanges(List.of(RangeRequest.into(destination, ByteRange.of(0, 100))));
    rest.awaitReached(SOON);
    given.cancel(false);
    get(given.quiesced());
    ByteBuffer blank = ByteBuffer.allocate(100);
    destination.put(0, blank, 0, 100);
    rest.open();
    gcs.assertReads(mrd, content, 500, 100);
    gcs.server().awaitStream(1, "2 finished", s -> s.rangesFinished() == 2, SOON);
    gcs.assertReads(mrd, content, 600, 100);
    assertEquals(blank, destination);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void b78_bytesLandInTheDestinationGiven(boolean direct) {
    ObjectContent content = gcs.put(1_000);
    ByteBuffer destination = direct ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
    get(gcs.open().downloadRanges(List.of(RangeRequest.into(destination, ByteRange.of(7, 100)))));
    assertRange(content, 7, 100, destination);
  }
}
