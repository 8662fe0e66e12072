package io.minikafka.coordinator;

import io.minikafka.Counted;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Whether groups are served. Immutable. */
public sealed interface Status {
  /** The offsets log is being read. */
  record Loading() implements Status {}

  /** They are. */
  record Serving(Loaded loaded) implements Status {}

  /** They are not until a later attempt succeeds. */
  record Unavailable(String reason) implements Status {}

  /** They were. */
  record Stopped() implements Status {}

  /**
   * What was read at the last start, or after the last failure.
   *
   * @param groups that have members or commits
   */
  record Loaded(int groups, long records, long bytes, long nanos, List<Missing> missing) {
    public Loaded {
      missing = List.copyOf(missing);
    }

    String inWords() {
      return "%s read from %s of the offsets log in %d ms"
          .formatted(
              Counted.of(groups, "group"),
              Counted.of(records, "record"),
              TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }

  /**
   * A range of the offsets log that is damaged and was passed over.
   *
   * @param from first damaged offset
   * @param to first good one behind it
   * @param sinceMs what was written before, wall clock, is not missing; 0 if that is not known
   * @param groups those that were there then, and may have lost changes
   */
  record Missing(long from, long to, long sinceMs, List<String> groups) {
    public Missing {
      groups = List.copyOf(groups);
    }
  }
}
