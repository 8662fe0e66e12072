package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Repetitions of the same point on several sides, one after the other and again: whatever the
 * machine does meanwhile, it does to all of them. One thread.
 */
final class Alternation {
  private Alternation() {}

  /** One for each crew. */
  static List<Throughput> of(List<Crew> crews, List<Side> sides, Effort effort)
      throws IOException, InterruptedException {
    List<Tally> tallies = new ArrayList<>();
    for (Crew crew : crews) {
      if (effort.warmUpNanos() > 0) {
        crew.run(effort.warmUp());
      }
      tallies.add(new Tally());
    }
    for (int rep = 0; rep < effort.reps(); rep++) {
      for (int i = 0; i < crews.size(); i++) {
        tallies.get(i).add(crews.get(i), sides.get(i), effort.perRep());
      }
    }
    return tallies.stream().map(Tally::throughput).toList();
  }

  /** What one side did so far. */
  private static final class Tally {
    private final List<Work> reps = new ArrayList<>();
    private Usage client = Usage.none();
    private Usage broker = Usage.none();

    void add(Crew crew, Side side, Limit limit) throws IOException, InterruptedException {
      Usage brokerBefore = side.usage();
      Usage clientBefore = ClientUsage.now();
      reps.add(crew.run(limit));
      client = client.plus(ClientUsage.now().since(clientBefore));
      broker = broker.plus(side.usage().since(brokerBefore));
    }

    Throughput throughput() {
      return new Throughput(List.copyOf(reps), client, broker);
    }
  }
}
