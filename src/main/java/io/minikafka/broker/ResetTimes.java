package io.minikafka.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Times as protobuf writes them: what is legal, and what it means in milliseconds. Stateless. */
final class ResetTimes {
  /** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
  private static final long MIN_SECONDS = -62_135_596_800L;

  private static final long MAX_SECONDS = 253_402_300_799L;

  /** Some 10,000 years. */
  private static final long MAX_DURATION_SECONDS = 315_576_000_000L;

  private static final int NANOS = 1_000_000_000;

  private ResetTimes() {}

  static Optional<Refusal> check(ResetTarget target) {
    return switch (target) {
      case ResetTarget.None none ->
          Optional.of(
              Refusal.invalid(
                  "target",
                  "no target is named; it is one of earliest, latest, offset, timestamp, duration,"
                      + " shift, from_group, offsets"));
      case ResetTarget.Time(long seconds, int nanos)
          when seconds < MIN_SECONDS || seconds > MAX_SECONDS || nanos < 0 || nanos >= NANOS ->
          Optional.of(
              Refusal.invalid("timestamp", "timestamp is no time between the years 0001 and 9999"));
      case ResetTarget.Ago(long seconds, int nanos) when seconds < 0 || nanos < 0 ->
          Optional.of(Refusal.invalid("duration", "duration is negative, must be 0 or more"));
      case ResetTarget.Ago(long seconds, int nanos)
          when seconds > MAX_DURATION_SECONDS || nanos >= NANOS ->
          Optional.of(
              Refusal.invalid(
                  "duration", "duration is more than %d s".formatted(MAX_DURATION_SECONDS)));
      default -> Optional.empty();
    };
  }

  static Instant instant(ResetTarget.Time time) {
    return Instant.ofEpochSecond(time.seconds(), time.nanos());
  }

  static Instant before(Instant now, ResetTarget.Ago ago) {
    return now.minus(Duration.ofSeconds(ago.seconds(), ago.nanos()));
  }

  /** The first whole millisecond that is not before it. */
  static long ceilMs(Instant time) {
    long ms = time.toEpochMilli();
    return time.getNano() % 1_000_000 == 0 ? ms : ms + 1;
  }
}
