package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.CorruptDataException;
import io.minikafka.client.DamagedRangeException;
import io.minikafka.client.FetchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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

  /** What came last that was not good, and was asked for once more. */
  private final Map<TopicPartition, CorruptDataException> doubted = new HashMap<>();

  /**
   * @param group as whose member it reads; null: of none
   */
  DamagePass(boolean skips, @Nullable String group, PrintWriter err) {
    this.skips = skips;
    this.group = group;
    this.err = err;
  }

  /**
   * What is there; nothing if damage was passed over just now, or what came is not good and the
   * broker is to look at it first.
   *
   * @throws DamageException with the way on, if it is not to be passed over
   */
  List<ConsumerRecord> poll(Consumer consumer, Duration maxWait) throws DamageException {
    try {
      return consumer.poll(maxWait);
    } catch (DamagedRangeException e) {
      long from = Math.max(e.from(), consumer.position(e.partition()));
      pass(consumer, new Damage(e.partition(), from, e.to()), e);
      return List.of();
    } catch (CorruptDataException e) {
      CorruptDataException first = doubted.put(e.partition(), e);
      if (first == null || first.offset() != e.offset()) {
        return List.of();
      }
      // The broker has looked, and found nothing or said nothing.
      OptionalLong to = first.goOnAt().isPresent() ? first.goOnAt() : e.goOnAt();
      if (to.isEmpty()) {
        throw new DamageException(
            "%s; log verify %s tells what is damaged there"
                .formatted(e.getMessage(), e.partition().topic()),
            e);
      }
      pass(consumer, new Damage(e.partition(), e.offset(), to.getAsLong()), e);
      return List.of();
    }
  }

  private record Damage(TopicPartition partition, long from, long to) {
    String text() {
      return "%s: offsets %d to %d are damaged".formatted(partition, from, to - 1);
    }
  }

  private void pass(Consumer consumer, Damage damage, FetchException why) throws DamageException {
    if (!skips) {
      throw new DamageException("%s; %s".formatted(damage.text(), wayOn(damage)), why);
    }
    err.println(damage.text() + " and left out");
    consumer.seek(damage.partition(), damage.to());
    passed.put(damage.partition(), damage.to());
  }

  /** Behind the damage of each partition that was passed over since this was last asked. */
  Map<TopicPartition, Long> takePassed() {
    Map<TopicPartition, Long> taken = Map.copyOf(passed);
    passed.clear();
    return taken;
  }

  private String wayOn(Damage damage) {
    TopicPartition at = damage.partition();
    return group == null
        ? "consume %s --partition %d --from %d goes on behind them, --skip-damage behind all damage"
            .formatted(at.topic(), at.partition(), damage.to())
        : "--skip-damage goes on behind them, and so does group reset %s --topic %s:%d --to-offset %d"
            .formatted(group, at.topic(), at.partition(), damage.to());
  }

  /** The command cannot go on over damage. */
  static final class DamageException extends IOException {
    private static final long serialVersionUID = 1;

    DamageException(String message, FetchException cause) {
      super(message, cause);
    }
  }
}
