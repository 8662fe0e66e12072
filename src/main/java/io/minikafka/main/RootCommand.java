package io.minikafka.main;

import picocli.CommandLine.Command;

/** What stands before the name of a command. */
@Command(
    name = "minikafka",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "A one-node event log: the broker and its command line.",
    footer = {"", "minikafka help COMMAND, or COMMAND --help, tells what a command takes."})
final class RootCommand {}
