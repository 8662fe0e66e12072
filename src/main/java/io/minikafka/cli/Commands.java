package io.minikafka.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The commands {@code main} puts beside {@code serve}, in the order help shows them. */
public final class Commands {
  /**
   * By the name each has on the command line: classes with picocli's {@code @Command}, each with a
   * constructor without arguments. Named here as well, so that finding one needs none of the
   * others.
   */
  public static final SequencedMap<String, Class<?>> ALL = all();

  private Commands() {}

  private static SequencedMap<String, Class<?>> all() {
    SequencedMap<String, Class<?>> all = new LinkedHashMap<>();
    all.put("topic", TopicCommand.class);
    all.put("group", GroupCommand.class);
    all.put("lag", LagCommand.class);
    all.put("log", LogCommand.class);
    all.put("produce", ProduceCommand.class);
    all.put("consume", ConsumeCommand.class);
    all.put("offsets", OffsetsCommand.class);
    all.put("bench", BenchCommand.class);
    all.put("broker", BrokerCommand.class);
    all.put("connections", ConnectionsCommand.class);
    all.put("completion", CompletionCommand.class);
    return Collections.unmodifiableSequencedMap(all);
  }
}
