// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.Checksums;
import io.github.gcsmrd.DownloadOptions;
import io.github.gcsmrd.GcsClient;
import io.github.gcsmrd.MrdOptions;
import io.github.gcsmrd.MrdOptionsBuilder;
import io.github.gcsmrd.MultiRangeDownloader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads ranges of an object of a bucket. Confined to the main thread. */
@Command(
    name = "download",
    description = {"Reads ranges of an object over one stream, and checks them.", ""})
final class DownloadCommand implements Callable<Integer> {
  private final Streams streams;

  @Mixin private ConnectionOptions connection = new ConnectionOptions();

  @Parameters(paramLabel = "OBJECT", description = "gs://BUCKET/OBJECT")
  private @Nullable ObjectName source;

  @Option(
      names = "--range",
      paramLabel = "RANGE",
      description =
          "OFFSET:LENGTH, OFFSET: (to the end) or -N: (the last N bytes); may be repeated, and"
              + " numbers may end in KiB, MiB, GiB. Default: the whole object.")
  private List<ByteRange> ranges = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write each range to DIR/OBJECT-OFFSET-LENGTH, or a single range to standard output if"
              + " DIR is -. Default: the bytes are checked and dropped.")
  private Optional<String> out = Optional.empty();

  @Option(
      names = "--generation",
      paramLabel = "N",
      description = "The generation to read. Default: the newest.")
  private Optional<Long> generation = Optional.empty();

  @Option(names = "--no-checksums", description = "Don't check the bytes.")
  private boolean noChecksums;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      converter = Seconds.class,
      description = "How long reading may take. Default: no limit.")
  private Optional<Duration> timeout = Optional.empty();

  DownloadCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws Exception {
    ObjectName object = Objects.requireNonNull(source, "source");
    List<ByteRange> asked = ranges.isEmpty() ? List.of(ByteRange.all()) : ranges;
    try (GcsClient client = connection.connect();
        MultiRangeDownloader mrd = open(client, object);
        Output output = Output.of(out, object, asked.size(), streams)) {
      Summary summary = new Transfer(mrd, output, downloadOptions()).read(asked, streams);
      (output.takesStandardOutput() ? streams.err() : streams.out()).println(summary.line());
      return ExitStatus.OK.code();
    } catch (ExecutionException e) {
      if (ExitStatus.of(Failures.root(e)) != ExitStatus.NETWORK) {
        throw e;
      }
      throw new CommandFailure(
          ExitStatus.NETWORK,
          "no answer from " + connection.where() + ": " + Failures.describe(e),
          e);
    }
  }

  private MultiRangeDownloader open(GcsClient client, ObjectName object) throws CommandFailure {
    try {
      MrdOptionsBuilder options = MrdOptions.builder();
      connection.limit(options);
      generation.ifPresent(options::generation);
      return client.createMrd(object.bucket(), object.object(), options.build());
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }

  private DownloadOptions downloadOptions() {
    DownloadOptions.Builder options = DownloadOptions.builder();
    options.checksums(noChecksums ? Checksums.OFF : Checksums.ON);
    timeout.ifPresent(options::timeout);
    return options.build();
  }
}
