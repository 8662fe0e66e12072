package io.minikafka.cli;

import java.util.List;

/** The commands {@code main} puts beside {@code serve}, in the order help shows them. */
public final class Commands {
  /** Classes with picocli's {@code @Command}, each with a constructor without arguments. */
  public static final List<Class<?>> ALL =
      List.of(
          TopicCommand.class,
          GroupCommand.class,
          LagCommand.class,
          LogCommand.class,
          ProduceCommand.class,
          ConsumeCommand.class,
          OffsetsCommand.class,
          BenchCommand.class,
          BrokerCommand.class,
          ConnectionsCommand.class,
          CompletionCommand.class);

  private Commands() {}
}
