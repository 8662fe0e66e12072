package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.DEFAULTS;
import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.SettingKey.Unit;
import io.minikafka.topic.TopicError.FieldError;
import io.minikafka.topic.TopicSettings.InForce;
import io.minikafka.topic.TopicSettings.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TopicSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "segment.bytes, 1024, 1073741824",
    "segment.ms, 1, 9223372036854775807",
    "index.interval.bytes, 1, 1073741824",
    "retention.bytes, 1, 9223372036854775807",
    "retention.ms, 1, 9223372036854775807",
    "flush.interval.ms, 1, 86400000",
    "max.message.bytes, 1024, 62914560"
  })
  void numbersAreLegalFromTheirLowerToTheirUpperBound(String key, long min, long max) {
    assertEquals(Map.of(key(key), "" + min), own(SettingChange.set(key, "" + min)));
    assertEquals(Map.of(key(key), "" + max), own(SettingChange.set(key, "" + max)));
  }

  @ParameterizedTest
  @CsvSource({
    "segment.bytes, 1023, 1024 to 1073741824 bytes",
    "segment.bytes, 1073741825, 1024 to 1073741824 bytes",
    "segment.bytes, -1, 1024 to 1073741824 bytes",
    "segment.ms, 0, at least 1 ms",
    "index.interval.bytes, 0, 1 to 1073741824 bytes",
    "index.interval.bytes, 1073741825, 1 to 1073741824 bytes",
    "retention.bytes, 0, -1 or at least 1 bytes",
    "retention.bytes, -2, -1 or at least 1 bytes",
    "retention.ms, 0, -1 or at least 1 ms",
    "flush.interval.ms, 0, 1 to 86400000 ms",
    "flush.interval.ms, 86400001, 1 to 86400000 ms",
    "max.message.bytes, 1023, 1024 to 62914560 bytes",
    "max.message.bytes, 62914561, 1024 to 62914560 bytes"
  })
  void numberBeyondItsBoundIsRefusedWithBoth(String key, long value, String bounds) {
    TopicError error =
        refused(TopicSettings.NONE.with(List.of(SettingChange.set(key, "" + value))));
    String message = "%s is %d, must be %s".formatted(key, value, bounds);
    assertEquals(
        new TopicError(
            ErrorCode.INVALID_REQUEST,
            message,
            List.of(new FieldError("settings." + key, message))),
        error);
  }

  @ParameterizedTest
  @CsvSource({"retention.bytes", "retention.ms"})
  void minusOneSwitchesRetentionOff(String key) {
    assertEquals(Map.of(key(key), "-1"), own(SettingChange.set(key, "-1")));
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "64k, 64k",
    "1.5, 1.5",
    "' 1024', ' 1024'",
    "+2048, +2048",
    "２０４８, ２０４８",
    "9223372036854775808, 9223372036854775808"
  })
  void whatIsNoWholeNumberIsRefused(String value, String shown) {
    assertEquals(
        "segment.bytes is '%s', must be a whole number, 1024 to 1073741824 bytes".formatted(shown),
        refused(TopicSettings.NONE.with(List.of(SettingChange.set("segment.bytes", value))))
            .message());
  }

  @Test
  void unknownPolicyIsRefusedWithTheKnownOnes() {
    assertEquals(
        "flush.policy is 'always', must be one of none, interval, commit",
        refused(TopicSettings.NONE.with(List.of(SettingChange.set("flush.policy", "always"))))
            .message());
  }

  @Test
  void unknownKeyIsRefusedByNameWithTheKnownOnes() {
    TopicError error =
        refused(TopicSettings.NONE.with(List.of(SettingChange.set("retention.hours", "1"))));
    assertEquals("settings.retention.hours", error.fields().getFirst().field());
    assertEquals(
        "'retention.hours' is no setting of a topic; there are segment.bytes, segment.ms,"
            + " index.interval.bytes, retention.bytes, retention.ms, flush.policy,"
            + " flush.interval.ms, max.message.bytes, cleanup.policy, delete.retention.ms,"
            + " min.cleanable.dirty.ratio, min.compaction.lag.ms",
        error.message());
  }

  @Test
  void errorRepeatsNoMoreThanTheBeginningOfWhatWasSentAndNoControlCharacters() {
    TopicError error =
        refused(
            TopicSettings.NONE.with(
                List.of(SettingChange.set("a\n\u001b" + "b".repeat(5000), ""))));
    assertTrue(error.message().startsWith("'a??bbb"), error.message());
    assertTrue(error.message().length() < 400, error.message());
  }

  @Test
  void everyErrorOfARequestIsNamed() {
    TopicError error =
        refused(
            TopicSettings.NONE.with(
                List.of(
                    SettingChange.set("segment.bytes", "1"),
                    SettingChange.set("x", "1"),
                    SettingChange.set("retention.ms", "77"),
                    SettingChange.set("retention.ms", "78"))));
    assertEquals(
        List.of("settings.segment.bytes", "settings.x", "settings.retention.ms"),
        error.fields().stream().map(FieldError::field).toList());
    assertTrue(error.message().endsWith("; retention.ms is given twice"), error.message());
  }

  @Test
  void sameNumberIsTheSameSetting() {
    assertEquals(
        own(SettingChange.set("segment.bytes", "2048")),
        own(SettingChange.set("segment.bytes", "02048")));
  }

  @Test
  void sameRatioAndSamePolicyAreTheSameSetting() {
    assertEquals(
        own(SettingChange.set("min.cleanable.dirty.ratio", "0.5")),
        own(SettingChange.set("min.cleanable.dirty.ratio", "00.50")));
    assertEquals(
        own(SettingChange.set("cleanup.policy", "compact,delete")),
        own(SettingChange.set("cleanup.policy", "delete,compact")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cleanup.policy | compress | must be one of delete or compact or compact,delete",
        "cleanup.policy | compact,compact | must be one of delete or compact or compact,delete",
        "cleanup.policy | '' | must be one of delete or compact or compact,delete",
        "min.cleanable.dirty.ratio | 1.01 | must be 0 to 1",
        "min.cleanable.dirty.ratio | -0.1 | must be 0 to 1",
        "min.cleanable.dirty.ratio | NaN | must be a decimal number, 0 to 1",
        "min.cleanable.dirty.ratio | 1e-1 | must be a decimal number, 0 to 1",
        "delete.retention.ms | -1 | must be at least 0 ms",
        "min.compaction.lag.ms | 1.5 | must be a whole number, at least 0 ms"
      })
  void cleanupOutOfItsBoundsIsRefusedByName(String key, String value, String said) {
    String error = key(key).valueError(value).orElseThrow();
    assertTrue(error.startsWith(key + " is ") && error.endsWith(said), error);
  }

  @Test
  void topicThatSaysNothingFollowsTheBroker() {
    PartitionSettings other =
        new PartitionSettings(new StoreSettings(2048, 7, 8, 9, 10, FlushPolicy.INTERVAL, 11), 4096);
    assertEquals(other, TopicSettings.NONE.over(other));
    assertTrue(
        TopicSettings.NONE.inForce(other).stream()
            .allMatch(line -> line.source() == Source.BROKER_DEFAULT));
  }

  @Test
  void ownSettingsWinOverTheBrokers() {
    TopicSettings own =
        done(
            TopicSettings.NONE.with(
                List.of(
                    SettingChange.set("segment.bytes", "2048"),
                    SettingChange.set("segment.ms", "7"),
                    SettingChange.set("index.interval.bytes", "8"),
                    SettingChange.set("retention.bytes", "9"),
                    SettingChange.set("retention.ms", "10"),
                    SettingChange.set("flush.policy", "interval"),
                    SettingChange.set("flush.interval.ms", "11"),
                    SettingChange.set("max.message.bytes", "4096"),
                    SettingChange.set("cleanup.policy", "delete,compact"),
                    SettingChange.set("delete.retention.ms", "12"),
                    SettingChange.set("min.cleanable.dirty.ratio", "0.25"),
                    SettingChange.set("min.compaction.lag.ms", "13"))));
    Cleanup cleanup = new Cleanup(CleanupPolicy.COMPACT_DELETE, 12, 0.25, 13);
    assertEquals(
        new PartitionSettings(
            new StoreSettings(2048, 7, 8, 9, 10, FlushPolicy.INTERVAL, 11, cleanup), 4096),
        own.over(DEFAULTS));
    assertTrue(own.inForce(DEFAULTS).stream().allMatch(line -> line.source() == Source.TOPIC));
  }

  @Test
  void ownSettingThatEqualsTheDefaultStaysOwn() {
    TopicSettings own =
        done(TopicSettings.NONE.with(List.of(SettingChange.set("segment.bytes", "67108864"))));
    assertEquals(
        new InForce(SettingKey.SEGMENT_BYTES, "67108864", Source.TOPIC),
        own.inForce(DEFAULTS).getFirst());
  }

  @Test
  void resetSettingFollowsTheBrokerAgain() {
    TopicSettings own =
        done(TopicSettings.NONE.with(List.of(SettingChange.set("retention.ms", "5"))));
    assertEquals(TopicSettings.NONE, done(own.with(List.of(SettingChange.reset("retention.ms")))));
  }

  @Test
  void refusedChangesLeaveNoTrace() {
    TopicSettings own =
        done(TopicSettings.NONE.with(List.of(SettingChange.set("retention.ms", "5"))));
    refused(
        own.with(
            List.of(SettingChange.reset("retention.ms"), SettingChange.set("segment.bytes", "1"))));
    assertEquals(Map.of(SettingKey.RETENTION_MS, "5"), own.own());
  }

  @ParameterizedTest
  @EnumSource(SettingKey.class)
  void defaultsOfTheBrokerAreLegal(SettingKey key) {
    assertEquals(java.util.Optional.empty(), key.valueError(key.defaultIn(DEFAULTS)));
  }

  @ParameterizedTest
  @MethodSource("sizesAndTimes")
  void nameOfASizeOrTimeEndsWithItsUnit(SettingKey key) {
    assertTrue(key.key().endsWith("." + key.unit().text()), key.key());
  }

  static Stream<SettingKey> sizesAndTimes() {
    return Arrays.stream(SettingKey.values())
        .filter(key -> key.unit() == Unit.BYTES || key.unit() == Unit.MS);
  }

  private static SettingKey key(String key) {
    return SettingKey.of(key).orElseThrow();
  }

  private static Map<SettingKey, String> own(SettingChange change) {
    return done(TopicSettings.NONE.with(List.of(change))).own();
  }
}
