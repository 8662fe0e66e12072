package io.minikafka.cli;

import picocli.CommandLine.Command;

/** The group of commands that measure. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Measures a broker and the floor of the machine it stands on.",
    footer = {
      "",
      "docs/BENCHMARKS.md says what is measured, and what a row means.",
      "",
      "Examples:",
      "  minikafka bench all",
      "  minikafka bench produce --record-bytes 100 --batch 1,1000 --in-flight 5",
      "  minikafka bench latency --rate 10000 --flush commit --broker db1:9092 --admin db1:8080",
      "  minikafka bench report"
    },
    subcommands = {
      BenchProduceCommand.class,
      BenchConsumeCommand.class,
      BenchLatencyCommand.class,
      BenchFlushCommand.class,
      BenchScalingCommand.class,
      BenchFloorCommand.class,
      BenchIdleCommand.class,
      BenchTailCommand.class,
      BenchStartCommand.class,
      BenchAllCommand.class,
      BenchReportCommand.class,
      BenchHoldCommand.class
    })
final class BenchCommand {}
