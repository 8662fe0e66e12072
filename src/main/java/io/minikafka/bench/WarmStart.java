package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;

/**
 * What a run does before its first point: every way a record takes, on both ends, for long enough
 * that their Java has compiled it. Its results are thrown away. Without it the first points of a
 * run would measure a broker that is still cold. Stateless.
 */
final class WarmStart {
  private static final ProduceShape SHAPE = new ProduceShape(100, 10, 5);
  private static final int FETCH_BYTES = 16 << 10;

  /** Each takes so much longer than the warm-up of a point. */
  private static final int TIMES_A_WARM_UP = 5;

  private WarmStart() {}

  static void run(Topics topics, ClientSettings client, Effort run, Target target)
      throws IOException, InterruptedException {
    if (run.warmUpNanos() == 0) {
      return;
    }
    Limit limit = new Limit(TIMES_A_WARM_UP * run.warmUpNanos(), run.perRep().wireBytes());
    Effort effort = new Effort(1, limit, 0, run.latencyNanos(), run.patienceNanos());
    ConsumeRun consume = new ConsumeRun(topics, client, effort, target);
    for (ClientKind kind : ClientKind.values()) {
      ProduceRun.measure(
          Point.Produce.apart("produce", kind, SHAPE, 1, Policy.NONE),
          topics,
          client,
          effort,
          target);
      consume.measure(new Point.Consume(kind, SHAPE.recordBytes(), FETCH_BYTES, 1, false));
    }
    consume.close();
  }
}
