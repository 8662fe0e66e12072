package io.minikafka.cli;

import picocli.CommandLine.Command;

/** The group of commands that ask about the broker itself, over gRPC. */
@Command(
    name = "broker",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Shows how the broker is.",
    subcommands = {BrokerInfoCommand.class})
final class BrokerCommand {}
