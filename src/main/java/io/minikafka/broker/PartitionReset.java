package io.minikafka.broker;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a reset does to one partition, or an undo.
 *
 * @param partition 0-based number
 * @param oldOffset what is committed; empty: nothing
 * @param newOffset what will be; empty: nothing
 * @param replayed offsets that will be read once more
 * @param skipped offsets that will not be read at all
 * @param warnings what to know before doing it
 */
public record PartitionReset(
    String topic,
    int partition,
    OptionalLong oldOffset,
    OptionalLong newOffset,
    long replayed,
    long skipped,
    Clamp clamp,
    List<String> warnings) {
  static final Comparator<PartitionReset> ORDER =
      Comparator.comparing(PartitionReset::topic).thenComparing(PartitionReset::partition);

  /** What became of a target that lies outside of the log. */
  public enum Clamp {
    NONE,
    TO_LOG_START,
    TO_END
  }

  public PartitionReset {
    warnings = List.copyOf(warnings);
  }

  /** Whether something else is committed with it than without. */
  public boolean isChange() {
    return !newOffset.equals(oldOffset);
  }
}
