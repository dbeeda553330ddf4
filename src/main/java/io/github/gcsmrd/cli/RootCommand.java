// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command above the others; alone it is the demo. Confined to the main thread. */
@Command(
    name = "gcs-mrd",
    description = {
      "Reads many byte ranges of a Cloud Storage object over one stream, verified.",
      "Without a command it runs the demo.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    scope = ScopeType.INHERIT,
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit status:%n")
final class RootCommand implements Callable<Integer> {
  private final Streams streams;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of a failure.")
  private boolean verbose;

  private RootCommand(Streams streams) {
    this.streams = streams;
  }

  /**
   * Parses the arguments and runs their command.
   *
   * @return the exit status
   */
  static int run(Streams streams, String... args) {
    RootCommand root = new RootCommand(streams);
    CommandLine line =
        new CommandLine(root)
            .addSubcommand("demo", new DemoCommand(streams))
            .addSubcommand("download", new DownloadCommand(streams))
            .addSubcommand("serve", new ServeCommand(streams));
    Failures failures = new Failures(streams.err(), () -> root.verbose);
    Charset charset = Charset.defaultCharset();
    line.registerConverter(ByteRange.class, RangeArgument::parse)
        .registerConverter(ObjectName.class, ObjectName::parse)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .setOut(new PrintWriter(streams.out(), true, charset))
        .setErr(new PrintWriter(streams.err(), true, charset));
    line.getCommandSpec().usageMessage().exitCodeList(ExitStatus.table());
    for (CommandLine command : line.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().exitCodeList(ExitStatus.table());
    }
    return line.execute(args);
  }

  @Override
  public Integer call() throws Exception {
    return new DemoCommand(streams).call();
  }

  /** The version of the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = RootCommand.class.getPackage().getImplementationVersion();
      return new String[] {"gcs-mrd " + Optional.ofNullable(version).orElse("(not from a jar)")};
    }
  }
}
