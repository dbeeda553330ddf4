// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.functional;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Checksums;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.DownloadOptions;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeNotSatisfiableException;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.testing.ChunkFault;
import io.github.gcsmrd.testing.ChunkMatch;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import io.github.gcsmrd.testing.ObjectOptions;
import io.github.gcsmrd.testing.RangeMatch;
import io.github.gcsmrd.testing.RangeScript;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranges in two parts of 16 MiB, of which one goes its own way. */
@Timeout(60)
class SplitRangesTest {
  private static final int MIB = 1 << 20;
  private static final int PART = 16 * MIB;
  private static final ByteRange RANGE = ByteRange.of(0, 2 * PART);

  private final FakeGcs server;
  private final GcsClient client;
  private final ByteBuffer buffer = ByteBuffer.allocate(3 * PART).position(5);

  SplitRangesTest() throws IOException {
    server = FakeGcs.start();
    client = GcsClient.builder().endpoint(server.endpoint()).build();
  }

  private MultiRangeDownloader open(int bytes, boolean isFinal) {
    ObjectOptions.Builder options = ObjectOptions.builder();
    if (!isFinal) {
      options.appendable();
    }
    server.put("bucket", "object", ObjectContent.generated(7, bytes), options.build());
    return client.createMrd("bucket", "object", MrdOptions.builder().streams(2, 2).build());
  }

  private Download read(MultiRangeDownloader mrd) {
    return mrd.downloadRanges(List.of(RangeRequest.into(buffer, RANGE)));
  }

  private RangeResult result(Download download) throws Exception {
    RangeResult result = download.get(30, TimeUnit.SECONDS).get(0);
    byte[] expected = new byte[(int) result.length()];
    ObjectContent.generated(7, 3 * PART).read(0, expected, 0, expected.length);
    byte[] actual = new byte[expected.length];
    result.buffer().orElseThrow().get(actual);
    assertArrayEquals(expected, actual);
    assertEquals(5, buffer.position());
    return result;
  }

  private static void assertNotSatisfiable(Download download) throws Exception {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> download.range(0).get(30, TimeUnit.SECONDS));
    assertInstanceOf(RangeNotSatisfiableException.class, failure.getCause());
    download.quiesced().get(30, TimeUnit.SECONDS);
  }

  @AfterEach
  void nothingIsLeft() {
    client.close();
    assertEquals(0, client.pinnedBytes());
    server.close();
  }

  @Test
  void aPartOfAFinalizedObjectThatIsRefusedIsNotTakenForItsEnd() throws Exception {
    server.onRange(
        RangeMatch.offset(PART),
        RangeScript.builder().fail(0, StatusCode.OUT_OF_RANGE, "nothing there").build());
    assertNotSatisfiable(read(open(3 * PART, true)));
  }

  @Test
  void aPartThatIsRefusedInItsMiddleIsNotTakenForTheEnd() throws Exception {
    server.onRange(
        RangeMatch.offset(PART),
        RangeScript.builder().fail(4 * MIB, StatusCode.OUT_OF_RANGE, "no more").build());
    assertNotSatisfiable(read(open(3 * PART, false)));
  }

  @Test
  void anObjectThatEndsInTheFirstPartGivesWhatItHas() throws Exception {
    for (boolean isFinal : new boolean[] {true, false}) {
      RangeResult result = result(read(open(10 * MIB, isFinal)));
      assertEquals(10 * MIB, result.length());
      assertTrue(result.verified());
    }
  }

  @Test
  void anObjectThatEndsInTheSecondPartGivesWhatItHas() throws Exception {
    for (boolean isFinal : new boolean[] {true, false}) {
      RangeResult result = result(read(open(20 * MIB, isFinal)));
      assertEquals(20 * MIB, result.length());
      assertTrue(result.verified());
    }
  }

  @Test
  void anObjectThatEndsWhereTheFirstPartDoesGivesWhatItHas() throws Exception {
    for (boolean isFinal : new boolean[] {true, false}) {
      assertEquals(PART, result(read(open(PART, isFinal))).length());
    }
  }

  @Test
  void aCorruptChunkOfAPartIsRepaired() throws Exception {
    server.onRange(
        RangeMatch.offset(PART).once(),
        RangeScript.chunk(ChunkMatch.index(1), ChunkFault.flippedBit()));
    RangeResult result = result(read(open(2 * PART, true)));
    assertEquals(2 * PART, result.length());
    assertTrue(result.verified());
  }

  @Test
  void withoutChecksumsNothingIsVerified() throws Exception {
    MultiRangeDownloader mrd = open(2 * PART, true);
    DownloadOptions off = DownloadOptions.builder().checksums(Checksums.OFF).build();
    RangeResult result = result(mrd.downloadRanges(List.of(RangeRequest.into(buffer, RANGE)), off));
    assertEquals(2 * PART, result.length());
    assertEquals(0, result.offset());
    assertFalse(result.verified());
  }
}
