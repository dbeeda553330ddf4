// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectResponse;
import com.google.storage.v2.ObjectRangeData;
import io.github.gcsmrd.StatusCode;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FakeGcsHappyPathTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private FakeGcs server;
  private RawClient client;
  private FakeObject object;

  @BeforeEach
  void start() throws Exception {
    server = FakeGcs.builder().chunkBytes(100).start();
    object = server.put("bucket", "object", ObjectContent.generated(7, 1000));
    client = new RawClient(server);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
  }

  @Test
  void answersAnOpenWithoutRangesByMetadataAndHandle() throws Exception {
    RawStream stream = client.open(object);
    BidiReadObjectResponse first = stream.next();
    assertEquals(1000, first.getMetadata().getSize());
    assertEquals(1, first.getMetadata().getGeneration());
    assertEquals("projects/_/buckets/bucket", first.getMetadata().getBucket());
    assertTrue(first.getMetadata().hasFinalizeTime());
    assertEquals(object.crc32c().orElseThrow(), first.getMetadata().getChecksums().getCrc32C());
    assertFalse(first.getReadHandle().getHandle().isEmpty());
    assertEquals(0, first.getObjectDataRangesCount());
    assertEquals(Status.Code.OK, stream.halfClose().end().code());
  }

  @Test
  void sendsChunksWithAbsoluteOffsetsAndChecksumsInTurn() throws Exception {
    RawStream stream = client.open(object, 10, 250, 1, 500, 150, 2).halfClose();
    assertEquals(Status.Code.OK, stream.end().code());
    List<Long> ids = stream.pieces().stream().map(p -> p.getReadRange().getReadId()).toList();
    assertEquals(List.of(1L, 2L, 1L, 2L, 1L), ids);
    assertArrayEquals(object.content().read(10, 250), stream.bytes(1));
    assertArrayEquals(object.content().read(500, 150), stream.bytes(2));
    long offset = 10;
    for (ObjectRangeData piece : stream.pieces(1)) {
      assertEquals(offset, piece.getReadRange().getReadOffset());
      assertEquals(
          piece.getChecksummedData().getContent().size(), piece.getReadRange().getReadLength());
      assertEquals(crc32c(piece), piece.getChecksummedData().getCrc32C());
      offset += piece.getReadRange().getReadLength();
      assertEquals(offset == 260, piece.getRangeEnd());
    }
  }

  @Test
  void sendsMetadataInTheFirstResponseOnlyAndNotForAHandle() throws Exception {
    RawStream stream = client.open(object, 0, 0, 1).halfClose();
    stream.end();
    List<BidiReadObjectResponse> responses = stream.received();
    assertEquals(10, responses.size());
    for (int i = 0; i < responses.size(); i++) {
      assertEquals(i == 0, responses.get(i).hasMetadata());
    }
    RawStream again =
        client
            .call(new io.grpc.Metadata())
            .send(
                RawClient.spec(object).toBuilder()
                    .setReadHandle(responses.get(0).getReadHandle())
                    .build());
    BidiReadObjectResponse first = again.next();
    assertFalse(first.hasMetadata());
    assertTrue(first.hasReadHandle());
  }

  @Test
  void countsNegativeOffsetsFromTheEnd() throws Exception {
    RawStream stream =
        client.open(object, -10, 0, 1, -10, 3, 2, -5000, 5, 3, 990, 100, 4).halfClose();
    stream.end();
    assertArrayEquals(object.content().read(990, 10), stream.bytes(1));
    assertEquals(990, stream.pieces(1).get(0).getReadRange().getReadOffset());
    assertArrayEquals(object.content().read(990, 3), stream.bytes(2));
    assertArrayEquals(object.content().read(0, 5), stream.bytes(3));
    assertArrayEquals(object.content().read(990, 10), stream.bytes(4));
  }

  @Test
  void answersARangeAtTheEndWithOneEmptyChunk() throws Exception {
    RawStream stream = client.open(object, 1000, 0, 1).halfClose();
    stream.end();
    assertEquals(1, stream.pieces().size());
    assertTrue(stream.pieces().get(0).getRangeEnd());
    assertEquals(0, stream.bytes(1).length);
  }

  @Test
  void recordsWhatItReceived() throws Exception {
    RawStream stream = client.open(object, 10, 20, 1);
    stream.next();
    stream.send(30, 40, 2, 50, 60, 3).halfClose();
    stream.end();
    StreamRecord record = server.stream(1);
    assertEquals("projects/_/buckets/bucket", record.spec().orElseThrow().bucket());
    assertEquals("object", record.spec().orElseThrow().object());
    assertEquals(
        List.of(
            new StreamRecord.Range(10, 20, 1),
            new StreamRecord.Range(30, 40, 2),
            new StreamRecord.Range(50, 60, 3)),
        record.ranges());
    assertEquals(2, record.messages().size());
    assertTrue(record.halfClosed());
    assertEquals(StatusCode.OK, record.end().orElseThrow().code());
    assertEquals(120, record.payloadBytesSent());
    assertEquals(3, record.rangesFinished());
    assertEquals(1, record.connection());
  }

  @Test
  void recordsACancelByTheClient() throws Exception {
    RawStream stream = client.open(object);
    stream.next();
    assertEquals(1, server.openStreams());
    stream.cancel();
    server.awaitNoOpenStreams(TIMEOUT);
    assertEquals(StreamRecord.EndKind.CANCELLED, server.stream(1).end().orElseThrow().kind());
  }

  private static int crc32c(ObjectRangeData piece) {
    CRC32C crc = new CRC32C();
    crc.update(piece.getChecksummedData().getContent().toByteArray());
    return (int) crc.getValue();
  }
}
