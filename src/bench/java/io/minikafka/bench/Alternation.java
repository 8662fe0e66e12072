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
        tallies.get(i).add(crews.get(i), sides.get(i)::usage, effort.perRep());
      }
    }
    return tallies.stream().map(Tally::throughput).toList();
  }
}
