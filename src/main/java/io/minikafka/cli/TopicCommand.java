package io.minikafka.cli;

import picocli.CommandLine.Command;

/** The group of commands that administer topics, over gRPC. */
@Command(
    name = "topic",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Creates, shows, changes and deletes topics.",
    subcommands = {
      TopicCreateCommand.class,
      TopicListCommand.class,
      TopicDescribeCommand.class,
      TopicAlterCommand.class,
      TopicDeleteRecordsCommand.class,
      TopicDeleteCommand.class
    })
final class TopicCommand {}
