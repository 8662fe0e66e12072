package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.DamagedRangeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Polls for {@code consume}, and goes on behind damage if that is wanted; else it says how one can.
 * One thread.
 */
final class DamagePass {
  private final boolean skips;
  private final @Nullable String group;
  private final PrintWriter err;
  private final Map<TopicPartition, Long> passed = new HashMap<>();

  /**
   * @param group as whose member it reads; null: of none
   */
  DamagePass(boolean skips, @Nullable String group, PrintWriter err) {
    this.skips = skips;
    this.group = group;
    this.err = err;
  }

  /**
   * What is there; nothing if damage was passed over just now.
   *
   * @throws DamageException with the way on, if it is not to be passed over
   */
  List<ConsumerRecord> poll(Consumer consumer, Duration maxWait) throws DamageException {
    try {
      return consumer.poll(maxWait);
    } catch (DamagedRangeException e) {
      if (!skips) {
        throw new DamageException(e, wayOn(e));
      }
      err.println(
          "%s: offsets %d to %d are damaged and left out"
              .formatted(e.partition(), e.from(), e.to() - 1));
      consumer.seek(e.partition(), e.to());
      passed.put(e.partition(), e.to());
      return List.of();
    }
  }

  /** Behind the damage of each partition that was passed over since this was last asked. */
  Map<TopicPartition, Long> takePassed() {
    Map<TopicPartition, Long> taken = Map.copyOf(passed);
    passed.clear();
    return taken;
  }

  private String wayOn(DamagedRangeException e) {
    TopicPartition at = e.partition();
    return group == null
        ? "consume %s --partition %d --from %d goes on behind them, --skip-damage behind all damage"
            .formatted(at.topic(), at.partition(), e.to())
        : "--skip-damage goes on behind them, and so does group reset %s --topic %s:%d --to-offset %d"
            .formatted(group, at.topic(), at.partition(), e.to());
  }

  /** The command cannot go on over damage. */
  static final class DamageException extends IOException {
    private static final long serialVersionUID = 1;

    DamageException(DamagedRangeException damage, String wayOn) {
      super(
          "%s: offsets %d to %d are damaged; %s"
              .formatted(damage.partition(), damage.from(), damage.to() - 1, wayOn),
          damage);
    }
  }
}
