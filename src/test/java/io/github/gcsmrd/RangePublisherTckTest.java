// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.io.IOException;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** The Reactive Streams TCK against a range, over a real stream. */
public class RangePublisherTckTest extends FlowPublisherVerification<Chunk> {
  private static final int CHUNK_BYTES = 4 << 10;

  /** As many chunks as the TCK ever asks for. */
  private static final long CHUNKS = 1L << 31;

  private static final long TIMEOUT_MILLIS = 5_000;
  private static final long SILENCE_MILLIS = 200;

  /**
   * The TCK (1.0.4) gives up after the first look that finds no error: it must come late enough.
   */
  private static final long POLL_MILLIS = 1_000;

  private FakeGcs server;
  private GcsClient client;
  private MultiRangeDownloader mrd;
  private MultiRangeDownloader closed;

  public RangePublisherTckTest() {
    super(new TestEnvironment(TIMEOUT_MILLIS, SILENCE_MILLIS, POLL_MILLIS));
  }

  @BeforeClass
  public void open() throws IOException {
    server = FakeGcs.builder().chunkBytes(CHUNK_BYTES).start();
    server.put("bucket", "object", ObjectContent.generated(7, CHUNKS * CHUNK_BYTES));
    client = GcsClient.builder().endpoint(server.endpoint()).build();
    mrd = client.createMrd("bucket", "object");
    closed = client.createMrd("bucket", "object");
    closed.close();
  }

  @AfterClass
  public void close() {
    client.close();
    server.close();
  }

  @Override
  public Flow.Publisher<Chunk> createFlowPublisher(long elements) {
    return mrd.publisher(ByteRange.of(0, elements * CHUNK_BYTES));
  }

  @Override
  public Flow.Publisher<Chunk> createFailedFlowPublisher() {
    return closed.publisher(ByteRange.of(0, CHUNK_BYTES));
  }

  @Override
  public long maxElementsFromPublisher() {
    return CHUNKS;
  }
}
