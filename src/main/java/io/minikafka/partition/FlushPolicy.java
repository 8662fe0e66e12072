package io.minikafka.partition;

import java.util.Locale;
import java.util.Optional;

/** When appended bytes are forced to stable storage. */
public enum FlushPolicy {
  /** Left to the kernel, and forced every 30 s at the latest. */
  NONE,
  /** Within {@code flush.interval.ms} of the append; the acknowledgement does not wait. */
  INTERVAL,
  /** Before the acknowledgement, many appends per force. Only durable records are visible. */
  COMMIT;

  /** As it stands in settings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<FlushPolicy> of(String text) {
    for (FlushPolicy policy : values()) {
      if (policy.text().equals(text)) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }
}
