// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.Download;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MultiRangeDownloader;
import io.github.gcsmrd.RangeResult;
import io.github.gcsmrd.testing.FakeGcs;
import io.github.gcsmrd.testing.ObjectContent;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The main job: reads a made-up object from an embedded server, and compares it. Confined to the
 * main thread.
 */
@Command(
    name = "demo",
    description = {
      "Reads an object of an embedded server in ranges, in shuffled order, over one stream into"
          + " buffers made before, and compares every byte.",
      "",
      "The rate is of reading alone: from before the connection is made until the last range is"
          + " there, checksums included. Server and client share this machine's processors. The"
          + " first round runs cold code; more rounds show what it comes to, the last one counts.",
      ""
    })
final class DemoCommand implements Callable<Integer> {
  private static final String BUCKET = "demo-bucket";
  private static final String OBJECT = "demo-object";

  private final Streams streams;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = ByteCount.class,
      description = "Size of the object. Default: ${DEFAULT-VALUE}.")
  private long size = 256 << 20;

  @Option(
      names = "--ranges",
      paramLabel = "N",
      description = "How many ranges it is read in. Default: ${DEFAULT-VALUE}.")
  private int ranges = 64;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Makes the bytes and the order. Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often it is read. Default: ${DEFAULT-VALUE}.")
  private int rounds = 1;

  DemoCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws Exception {
    if (rounds < 1) {
      throw CommandFailure.usage("--rounds must be 1 or more: " + rounds);
    }
    DemoPlan plan = DemoPlan.of(size, ranges, seed);
    ObjectContent content = ObjectContent.generated(seed, size);
    try (FakeGcs server = FakeGcs.start();
        GcsClient client = GcsClient.builder().endpoint(server.endpoint()).build()) {
      server.put(BUCKET, OBJECT, content);
      Summary last = round(client, plan, content);
      for (int i = 2; i <= rounds; i++) {
        streams.err().println("round " + (i - 1) + ": " + last.rate());
        plan.wipe();
        last = round(client, plan, content);
      }
      streams.out().println(last.line());
    }
    return ExitStatus.OK.code();
  }

  private Summary round(GcsClient client, DemoPlan plan, ObjectContent content) throws Exception {
    Summary summary = read(client, plan);
    plan.compare(content);
    return summary;
  }

  private Summary read(GcsClient client, DemoPlan plan) throws Exception {
    try (Progress progress = Progress.start(streams, "reading")) {
      progress.expect(size);
      long start = System.nanoTime();
      try (MultiRangeDownloader mrd = client.createMrd(BUCKET, OBJECT)) {
        Download download = mrd.downloadRanges(plan.requests());
        for (int i = 0; i < download.size(); i++) {
          var unused = download.range(i).thenAccept(result -> progress.add(result.length()));
        }
        List<RangeResult> results = download.get();
        return Summary.of(results, System.nanoTime() - start);
      }
    }
  }
}
