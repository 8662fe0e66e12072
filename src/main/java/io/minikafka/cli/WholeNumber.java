package io.minikafka.cli;

import io.minikafka.Names;
import io.minikafka.client.ProducerSettings;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads whole numbers; what is none, or out of bounds, is refused with the bounds. */
final class WholeNumber {
  /** A day. */
  static final int MAX_TIMEOUT_S = 86_400;

  private static final Pattern TEXT = Pattern.compile("-?[0-9]+");

  private WholeNumber() {}

  /**
   * @throws TypeConversionException if it is no number, or not from {@code least} to {@code most}
   */
  static long read(String text, long least, long most) {
    try {
      // Long reads a plus sign and the digits of all scripts, too.
      if (TEXT.matcher(text).matches()) {
        long number = Long.parseLong(text);
        if (number >= least && number <= most) {
          return number;
        }
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    String bounds =
        most == Long.MAX_VALUE
            ? "from %d on".formatted(least)
            : "from %d to %d".formatted(least, most);
    throw new TypeConversionException(
        least < -1
            ? "'%s' is no whole number, or too large".formatted(text)
            : "'%s' is no whole number %s".formatted(text, bounds));
  }

  static final class AnyInteger implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
  }

  static final class AnyLong implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(text, Long.MIN_VALUE, Long.MAX_VALUE);
    }
  }

  /** A partition's. */
  static final class Partition implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, 0, Integer.MAX_VALUE);
    }
  }

  static final class Offset implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(text, 0, Long.MAX_VALUE);
    }
  }

  /** An offset, or −1 for the high watermark. */
  static final class OffsetOrEnd implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(text, -1, Long.MAX_VALUE);
    }
  }

  /** How many of something, one at least. */
  static final class Count implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(text, 1, Long.MAX_VALUE);
    }
  }

  /** How many partitions there shall be. */
  static final class PartitionCount implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, 1, Names.MAX_PARTITIONS);
    }
  }

  /** How many records may be in a batch. */
  static final class BatchRecords implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, 1, ProducerSettings.MAX_BATCH_RECORDS);
    }
  }

  /** How long a batch may wait. */
  static final class LingerMs implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, 0, ProducerSettings.MAX_LINGER_MS);
    }
  }

  /** As many records as one look may have. */
  static final class TailCount implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, 1, 1_000_000);
    }
  }

  /** How long to wait. */
  static final class Seconds implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) read(text, 1, MAX_TIMEOUT_S);
    }
  }
}
