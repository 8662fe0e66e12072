package io.minikafka.topic;

import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.TopicError.FieldError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings a topic was told itself, all legal. What it was not told is not kept, so that it
 * follows the broker's defaults when these change. Immutable; any thread.
 */
public final class TopicSettings {
  /** Follows the broker in everything. */
  public static final TopicSettings NONE = new TopicSettings(new EnumMap<>(SettingKey.class));

  private final Map<SettingKey, String> values;

  private TopicSettings(Map<SettingKey, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /** Where a value comes from. */
  public enum Source {
    /** The topic was told so itself. */
    TOPIC,
    /** The broker's default. */
    BROKER_DEFAULT
  }

  /** One line of what is in force. */
  public record InForce(SettingKey key, String value, Source source) {}

  /**
   * These settings with changes; all or none of them.
   *
   * @return refused with {@link ErrorCode#INVALID_REQUEST} and one field error for each change that
   *     is not legal
   */
  public Outcome<TopicSettings> with(List<SettingChange> changes) {
    Map<SettingKey, String> changed = new EnumMap<>(SettingKey.class);
    changed.putAll(values);
    Set<String> seen = new HashSet<>();
    List<FieldError> errors = new ArrayList<>();
    for (SettingChange change : changes) {
      String field = "settings." + Echo.of(change.key());
      var key = SettingKey.of(change.key());
      if (key.isEmpty()) {
        errors.add(new FieldError(field, SettingKey.unknownError(change.key())));
      } else if (!seen.add(change.key())) {
        errors.add(new FieldError(field, change.key() + " is given twice"));
      } else if (change.value().isEmpty()) {
        changed.remove(key.get());
      } else {
        String value = change.value().get();
        key.get()
            .valueError(value)
            .ifPresentOrElse(
                error -> errors.add(new FieldError(field, error)),
                () -> changed.put(key.get(), key.get().canonical(value)));
      }
    }
    return errors.isEmpty()
        ? Outcome.done(new TopicSettings(changed))
        : Outcome.refused(TopicError.invalid(errors));
  }

  /** The topic's own values by key, in the order of the table. */
  public Map<SettingKey, String> own() {
    return values;
  }

  /** All settings as they are in force, in the order of the table. */
  public List<InForce> inForce(PartitionSettings defaults) {
    return Arrays.stream(SettingKey.values())
        .map(
            key ->
                values.containsKey(key)
                    ? new InForce(key, value(key, defaults), Source.TOPIC)
                    : new InForce(key, value(key, defaults), Source.BROKER_DEFAULT))
        .toList();
  }

  /** What is in force, as partitions want it. */
  public PartitionSettings over(PartitionSettings defaults) {
    StoreSettings store =
        new StoreSettings(
            Math.toIntExact(number(SettingKey.SEGMENT_BYTES, defaults)),
            number(SettingKey.SEGMENT_MS, defaults),
            Math.toIntExact(number(SettingKey.INDEX_INTERVAL_BYTES, defaults)),
            number(SettingKey.RETENTION_BYTES, defaults),
            number(SettingKey.RETENTION_MS, defaults),
            FlushPolicy.of(value(SettingKey.FLUSH_POLICY, defaults)).orElseThrow(),
            number(SettingKey.FLUSH_INTERVAL_MS, defaults),
            new Cleanup(
                CleanupPolicy.of(value(SettingKey.CLEANUP_POLICY, defaults)).orElseThrow(),
                number(SettingKey.DELETE_RETENTION_MS, defaults),
                Double.parseDouble(value(SettingKey.MIN_CLEANABLE_DIRTY_RATIO, defaults)),
                number(SettingKey.MIN_COMPACTION_LAG_MS, defaults)));
    return new PartitionSettings(
        store, Math.toIntExact(number(SettingKey.MAX_MESSAGE_BYTES, defaults)));
  }

  private long number(SettingKey key, PartitionSettings defaults) {
    return Long.parseLong(value(key, defaults));
  }

  private String value(SettingKey key, PartitionSettings defaults) {
    String own = values.get(key);
    return own != null ? own : key.defaultIn(defaults);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicSettings that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(value -> value.getKey().key() + "=" + value.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
