// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Download;
import io.github.gcsmrd.DownloadOptions;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.RangeResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Reads ranges into an output and shows how far it is. Confined to the main thread.
 *
 * @param mrd the object
 * @param output where the bytes go
 * @param options how they are read
 */
record Transfer(MultiRangeDownloader mrd, Output output, DownloadOptions options) {

  /**
   * Reads the ranges and returns when all have ended and no sink runs any more. Ranges that
   * succeeded are kept, also if others failed.
   *
   * @throws ExecutionException if a range failed
   */
  Summary read(List<ByteRange> asked, Streams streams)
      throws ExecutionException, InterruptedException, IOException {
    try (Progress progress = Progress.start(streams, "reading")) {
      List<RangeRequest> requests = new ArrayList<>(asked.size());
      for (ByteRange range : asked) {
        requests.add(output.request(requests.size(), range, progress));
      }
      long start = System.nanoTime();
      Download download = mrd.downloadRanges(requests, options);
      var unused =
          mrd.opened()
              .thenAccept(
                  info -> info.sizeBytes().ifPresent(size -> progress.expect(total(asked, size))));
      try {
        List<RangeResult> results = download.get();
        return Summary.of(results, System.nanoTime() - start);
      } finally {
        end(download);
      }
    }
  }

  /** Gives up what is left after an interrupt, waits for the sinks, and keeps what is whole. */
  private void end(Download download) throws IOException {
    download.cancel(true);
    download.quiesced().join();
    for (int i = 0; i < download.size(); i++) {
      CompletableFuture<RangeResult> range = download.range(i);
      if (range.isDone() && !range.isCompletedExceptionally()) {
        output.keep(i, range.join());
      }
    }
  }

  /** How many bytes the ranges have in an object of that size. */
  static long total(List<ByteRange> ranges, long size) {
    long total = 0;
    for (ByteRange range : ranges) {
      total += length(range, size);
    }
    return total;
  }

  private static long length(ByteRange range, long size) {
    if (range instanceof ByteRange.Bounded bounded) {
      return Math.max(0, Math.min(bounded.length(), size - bounded.offset()));
    }
    if (range instanceof ByteRange.From from) {
      return Math.max(0, size - from.offset());
    }
    return range instanceof ByteRange.Last last ? Math.min(last.length(), size) : size;
  }
}
