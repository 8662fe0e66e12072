package io.minikafka.cli;

import io.minikafka.HeldOffsets;
import io.minikafka.TopicPartition;
import io.minikafka.client.Consumer;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where {@code consume} and {@code log tail} begin. */
sealed interface StartPoint {
  /** For help texts. */
  String LEGEND =
      "beginning, end, an offset, -N for the newest N, a time (2026-01-31T12:00:00Z), or a time ago"
          + " (90s, 1h30m, 7d, PT1H)";

  record Beginning() implements StartPoint {}

  record End() implements StartPoint {}

  /**
   * @param offset 0 or more
   */
  record Offset(long offset) implements StartPoint {}

  /**
   * So many offsets before the end, or what there is.
   *
   * @param count 0 or more
   */
  record Newest(long count) implements StartPoint {}

  /** The first record that is not older. */
  record Time(long timestampMs) implements StartPoint {}

  /** What is said of an offset that a partition does not have. */
  static IOException outside(long offset, TopicPartition partition, long start, long next) {
    return new IOException(
        "--from is %d, %s has %s; beginning, end, -N and a time fit every partition"
            .formatted(offset, partition, HeldOffsets.inWords(start, next)));
  }

  default void seek(Consumer consumer, TopicPartition partition) {
    switch (this) {
      case Beginning() -> consumer.seekToBeginning(List.of(partition));
      case End() -> consumer.seekToEnd(List.of(partition));
      case Offset(long offset) -> consumer.seek(partition, offset);
      case Newest(long count) -> {
        List<TopicPartition> one = List.of(partition);
        long start = consumer.beginningOffsets(one).getOrDefault(partition, 0L);
        long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
        consumer.seek(partition, Math.max(start, end - count));
      }
      case Time(long timestampMs) -> consumer.seekToTime(partition, timestampMs);
    }
  }

  /** Reads what stands on the command line. */
  final class Converter implements ITypeConverter<StartPoint> {
    @Override
    public StartPoint convert(String text) {
      if (text.equals("beginning")) {
        return new Beginning();
      }
      if (text.equals("end")) {
        return new End();
      }
      if (text.matches("\\d+")) {
        return new Offset(WholeNumber.read(text, 0, Long.MAX_VALUE));
      }
      if (text.matches("-\\d+")) {
        return new Newest(WholeNumber.read(text.substring(1), 0, Long.MAX_VALUE));
      }
      return TimeConverter.read(text)
          .map(time -> new Time(time.toEpochMilli()))
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is neither beginning, end, an offset, -N for the newest N, nor a time; %s"
                          .formatted(text, TimeConverter.ACCEPTED)));
    }
  }
}
