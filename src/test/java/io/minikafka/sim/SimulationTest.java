package io.minikafka.sim;

import org.junit.jupiter.api.Test;

/**
 * Random lives of partitions agree with the model. {@code -Dseed=17} replays one, {@code
 * -Dseeds=1000} widens, {@code -Dsteps=5000} makes each longer.
 */
class SimulationTest {
  private static final int STEPS = 400;

  @Test
  void localLogKeepsEveryPromise() {
    Seeds.each(1000, seed -> new World(seed, Stack.local()).run(Seeds.steps(STEPS)));
  }

  @Test
  void plainStoresKeepEveryPromise() {
    Seeds.each(200, seed -> new World(seed, Stack.plain()).run(Seeds.steps(STEPS)));
  }
}
