package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Repetitions of the same point on several sides, one after the other and again: whatever the
 * machine does meanwhile, it does to all of them, and none pays for what another left to be written
 * to the disk. One thread.
 */
final class Alternation {
  private Alternation() {}

  /** Producers, one result for each side; see {@link ProduceRun} for why each has a topic. */
  static List<Tally> ofProducers(Point.Produce point, List<Side> sides, Effort effort)
      throws IOException, InterruptedException {
    List<Tally> tallies = new ArrayList<>();
    for (int i = 0; i < sides.size(); i++) {
      tallies.add(new Tally());
    }
    for (int rep = effort.warmUpNanos() > 0 ? -1 : 0; rep < effort.reps(); rep++) {
      for (int i = 0; i < sides.size(); i++) {
        Side side = sides.get(i);
        Writeback.finish();
        try (Crew crew = side.producers(point, effort)) {
          if (rep < 0) {
            crew.run(ProduceRun.warmUp(point.shape(), effort));
          } else {
            crew.begin();
            tallies.get(i).add(crew, side::usage, effort.perRep());
          }
        }
        side.removeTopics();
      }
    }
    return List.copyOf(tallies);
  }

  /** One for each crew. */
  static List<Tally> of(List<Crew> crews, List<Side> sides, Effort effort)
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
        Writeback.finish();
        tallies.get(i).add(crews.get(i), sides.get(i)::usage, effort.perRep());
      }
    }
    return List.copyOf(tallies);
  }
}
