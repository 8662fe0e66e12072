package io.minikafka.cli;

import picocli.CommandLine.Command;

/** The group of commands that look at consumer groups and change them, over gRPC. */
@Command(
    name = "group",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Shows consumer groups and how far they have read; moves and deletes their offsets.",
    subcommands = {
      GroupListCommand.class,
      GroupDescribeCommand.class,
      GroupResetCommand.class,
      GroupUndoCommand.class,
      GroupDeleteOffsetsCommand.class,
      GroupDeleteCommand.class
    })
final class GroupCommand {}
