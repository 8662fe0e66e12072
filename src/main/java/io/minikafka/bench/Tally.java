package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the repetitions of one of several points measured in alternation have done. One thread. */
final class Tally {
  private final List<Work> reps = new ArrayList<>();
  private Usage client = Usage.none();
  private Usage broker = Usage.none();
  private String durability = "";

  /** One more repetition. */
  void add(Crew crew, Throughput.BrokerUsage usage, Limit limit)
      throws IOException, InterruptedException {
    Usage brokerBefore = usage.now();
    Usage clientBefore = ClientUsage.now();
    reps.add(crew.run(limit));
    client = client.plus(ClientUsage.now().since(clientBefore));
    broker = broker.plus(usage.now().since(brokerBefore));
    durability = crew.durability();
  }

  /** What the last repetition's acknowledgements said; empty before. */
  String durability() {
    return durability;
  }

  Throughput throughput() {
    return new Throughput(List.copyOf(reps), client, broker);
  }
}
