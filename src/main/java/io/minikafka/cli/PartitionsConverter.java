package io.minikafka.cli;

import io.minikafka.admin.v1.TopicPartitions;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a topic, or some partitions of it: {@code access}, {@code access:0,3}. */
final class PartitionsConverter implements ITypeConverter<TopicPartitions> {
  private static final Pattern NUMBERS = Pattern.compile("\\d{1,9}(,\\d{1,9})*");

  @Override
  public TopicPartitions convert(String text) {
    int colon = text.indexOf(':');
    String topic = colon < 0 ? text : text.substring(0, colon);
    TopicPartitions.Builder partitions = TopicPartitions.newBuilder().setTopic(topic);
    if (colon >= 0) {
      String numbers = text.substring(colon + 1);
      if (!NUMBERS.matcher(numbers).matches()) {
        throw refused(text);
      }
      for (String number : numbers.split(",")) {
        partitions.addPartitions(Integer.parseInt(number));
      }
    }
    if (topic.isEmpty()) {
      throw refused(text);
    }
    return partitions.build();
  }

  private static TypeConversionException refused(String text) {
    return new TypeConversionException(
        "'%s' is neither a topic (access) nor partitions of one (access:0,3)".formatted(text));
  }
}
