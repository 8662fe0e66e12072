package io.minikafka.cli;

import picocli.CommandLine.Command;

/** The group of commands that look into logs, over gRPC. */
@Command(
    name = "log",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Looks into the logs of partitions, repairs them, and tries them out.",
    subcommands = {
      LogSegmentsCommand.class,
      LogVerifyCommand.class,
      LogRepairCommand.class,
      LogTailCommand.class,
      LogAppendCommand.class,
      LogFlushCommand.class
    })
final class LogCommand {}
