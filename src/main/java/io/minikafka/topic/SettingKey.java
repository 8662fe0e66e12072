package io.minikafka.topic;

import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionSettings;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The one table of what a topic can be told: name, unit, bounds, where its default comes from, and
 * what it does. Immutable; any thread.
 */
public enum SettingKey {
  SEGMENT_BYTES(
      "segment.bytes",
      Unit.BYTES,
      1 << 10,
      1 << 30,
      defaults -> String.valueOf(defaults.store().segmentBytes()),
      "Size beyond which the active segment is sealed. More: fewer files, coarser retention. Less:"
          + " retention and recovery in smaller steps, more descriptors."),
  SEGMENT_MS(
      "segment.ms",
      Unit.MS,
      1,
      Long.MAX_VALUE,
      defaults -> String.valueOf(defaults.store().segmentMs()),
      "Age beyond which the active segment is sealed even when small, so that time retention"
          + " reaches it. More: old records may outlive their retention by as much. Less: more and"
          + " smaller files on quiet partitions."),
  INDEX_INTERVAL_BYTES(
      "index.interval.bytes",
      Unit.BYTES,
      1,
      1 << 30,
      defaults -> String.valueOf(defaults.store().indexIntervalBytes()),
      "Bytes of log between two entries of the sparse index. More: smaller indexes, longer walks to"
          + " an offset. Less: the reverse."),
  RETENTION_BYTES(
      "retention.bytes",
      Unit.BYTES,
      1,
      Long.MAX_VALUE,
      defaults -> String.valueOf(defaults.store().retentionBytes()),
      "Bytes a partition keeps; the oldest sealed segments go beyond it. -1 keeps everything. What"
          + " remains is between this and this plus one segment."),
  RETENTION_MS(
      "retention.ms",
      Unit.MS,
      1,
      Long.MAX_VALUE,
      defaults -> String.valueOf(defaults.store().retentionMs()),
      "Time a record is kept at least before its segment may go; -1 keeps it for ever."),
  FLUSH_POLICY(
      "flush.policy",
      Unit.CHOICE,
      0,
      0,
      defaults -> defaults.store().flushPolicy().text(),
      "When an append is acknowledged: commit once it is on stable storage, interval at once and"
          + " forced each flush.interval.ms, none at once and forced when the system likes. A change"
          + " to commit forces what is there before it counts."),
  FLUSH_INTERVAL_MS(
      "flush.interval.ms",
      Unit.MS,
      1,
      24 * 60 * 60 * 1000L,
      defaults -> String.valueOf(defaults.store().flushIntervalMs()),
      "Time between two forces under the flush policy interval. More: fewer forces, more to lose at"
          + " a power failure. Less: the reverse."),
  MAX_MESSAGE_BYTES(
      "max.message.bytes",
      Unit.BYTES,
      1 << 10,
      60 << 20,
      defaults -> String.valueOf(defaults.maxMessageBytes()),
      "Largest produced batch, its marker included. More: larger requests are held in memory. Less:"
          + " producers with larger records are refused."),
  CLEANUP_POLICY(
      "cleanup.policy",
      Unit.CHOICE,
      0,
      0,
      defaults -> defaults.store().cleanup().policy().text(),
      "What becomes of old records: delete gives up the oldest segments as retention.bytes and"
          + " retention.ms say, compact keeps the newest record of each key and retains all keys;"
          + " compact,delete does both. Where it compacts, records without a key are refused."),
  DELETE_RETENTION_MS(
      "delete.retention.ms",
      Unit.MS,
      0,
      Long.MAX_VALUE,
      defaults -> String.valueOf(defaults.store().cleanup().deleteRetentionMs()),
      "Time a tombstone stays after the compaction that first saw it, so that readers learn of the"
          + " deletion. More: slow readers miss no deletion. Less: deleted keys take no room."),
  MIN_CLEANABLE_DIRTY_RATIO(
      "min.cleanable.dirty.ratio",
      Unit.RATIO,
      0,
      1,
      defaults -> String.valueOf(defaults.store().cleanup().minDirtyRatio()),
      "Part of the sealed bytes that no compaction has seen, from which on one runs. More: fewer"
          + " rewrites, more outdated records. Less: the reverse."),
  MIN_COMPACTION_LAG_MS(
      "min.compaction.lag.ms",
      Unit.MS,
      0,
      Long.MAX_VALUE,
      defaults -> String.valueOf(defaults.store().cleanup().minLagMs()),
      "Time a record is left alone at least before a newer one of its key may take its place. More:"
          + " readers that are not behind by more see every record. Less: room is made sooner.");

  /** What the value of a setting is. */
  public enum Unit {
    BYTES("bytes"),
    MS("ms"),
    /** A decimal number. */
    RATIO(""),
    /** One of a few words. */
    CHOICE("");

    private final String text;

    Unit(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** No exponent, no infinity, nothing but digits and a point. */
  private static final Pattern RATIO_TEXT = Pattern.compile("-?[0-9]{1,9}([.][0-9]{0,20})?");

  /** A computer's digits only: others look alike and are found by no search. */
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]+");

  private final String key;
  private final Unit unit;
  private final long min;
  private final long max;
  private final Function<PartitionSettings, String> defaultOf;
  private final String doc;

  SettingKey(
      String key,
      Unit unit,
      long min,
      long max,
      Function<PartitionSettings, String> defaultOf,
      String doc) {
    this.key = key;
    this.unit = unit;
    this.min = min;
    this.max = max;
    this.defaultOf = defaultOf;
    this.doc = doc;
  }

  public static Optional<SettingKey> of(String key) {
    return Arrays.stream(values()).filter(known -> known.key.equals(key)).findFirst();
  }

  /** What to say to an unknown name. */
  public static String unknownError(String key) {
    String known = Arrays.stream(values()).map(SettingKey::key).collect(Collectors.joining(", "));
    return "'%s' is no setting of a topic; there are %s".formatted(Echo.of(key), known);
  }

  /** As it stands in requests and answers, for example {@code segment.bytes}. */
  public String key() {
    return key;
  }

  public Unit unit() {
    return unit;
  }

  /** Smallest value; 0 for a choice. */
  public long min() {
    return min;
  }

  /** Largest value; 0 for a choice. */
  public long max() {
    return max;
  }

  /** The one value below {@link #min} that switches the thing off. */
  public OptionalLong off() {
    return this == RETENTION_BYTES || this == RETENTION_MS
        ? OptionalLong.of(-1)
        : OptionalLong.empty();
  }

  /** What it does, in sentences. */
  public String doc() {
    return doc;
  }

  /** The value a topic has that says nothing itself. */
  public String defaultIn(PartitionSettings defaults) {
    return defaultOf.apply(defaults);
  }

  /** What values are legal, in words. */
  public String bounds() {
    if (unit == Unit.CHOICE) {
      // A policy may hold a comma.
      return this == CLEANUP_POLICY
          ? Arrays.stream(CleanupPolicy.values())
              .map(CleanupPolicy::text)
              .collect(Collectors.joining(" or "))
          : Arrays.stream(FlushPolicy.values())
              .map(FlushPolicy::text)
              .collect(Collectors.joining(", "));
    }
    if (unit == Unit.RATIO) {
      return min + " to " + max;
    }
    String range = max == Long.MAX_VALUE ? "at least " + min : min + " to " + max;
    String withUnit = range + " " + unit.text();
    return off().isPresent() ? off().getAsLong() + " or " + withUnit : withUnit;
  }

  /** Why {@code value} is none for this setting, naming it and its bound; empty if it is one. */
  public Optional<String> valueError(String value) {
    return switch (unit) {
      case CHOICE -> choiceError(value);
      case RATIO -> ratioError(value);
      case BYTES, MS -> numberError(value);
    };
  }

  /** The same value is always the same text: no leading zeros, words in order. */
  String canonical(String legal) {
    return switch (unit) {
      case CHOICE -> CleanupPolicy.of(legal).map(CleanupPolicy::text).orElse(legal);
      case RATIO -> String.valueOf(Double.parseDouble(legal));
      case BYTES, MS -> String.valueOf(Long.parseLong(legal));
    };
  }

  private Optional<String> choiceError(String value) {
    boolean known =
        this == CLEANUP_POLICY
            ? CleanupPolicy.of(value).isPresent()
            : FlushPolicy.of(value).isPresent();
    return known
        ? Optional.empty()
        : Optional.of("%s is '%s', must be one of %s".formatted(key, Echo.of(value), bounds()));
  }

  private Optional<String> ratioError(String value) {
    boolean isNumber = RATIO_TEXT.matcher(value).matches();
    if (!isNumber) {
      return Optional.of(
          "%s is '%s', must be a decimal number, %s".formatted(key, Echo.of(value), bounds()));
    }
    double number = Double.parseDouble(value);
    return min <= number && number <= max
        ? Optional.empty()
        : Optional.of("%s is %s, must be %s".formatted(key, Echo.of(value), bounds()));
  }

  private Optional<String> numberError(String value) {
    long number;
    try {
      if (!WHOLE_NUMBER.matcher(value).matches()) {
        return noWholeNumber(value);
      }
      number = Long.parseLong(value);
    } catch (NumberFormatException e) {
      return noWholeNumber(value);
    }
    boolean within = (min <= number && number <= max) || off().equals(OptionalLong.of(number));
    return within
        ? Optional.empty()
        : Optional.of("%s is %d, must be %s".formatted(key, number, bounds()));
  }

  private Optional<String> noWholeNumber(String value) {
    return Optional.of(
        "%s is '%s', must be a whole number, %s".formatted(key, Echo.of(value), bounds()));
  }
}
