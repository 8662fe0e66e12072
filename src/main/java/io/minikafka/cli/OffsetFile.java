package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.minikafka.TopicPartition;
import io.minikafka.admin.v1.PartitionOffset;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of offsets, either
 *
 * <ul>
 *   <li>lines of {@code topic partition offset}, also with commas between them; empty ones, and
 *       what follows a {@code #}, say nothing; or
 *   <li>what a command printed with {@code --output json}: every object with a topic, a partition
 *       and an offset, wherever it stands. The offset is the field {@code offset}, else {@code
 *       newOffset}, else {@code committedOffset}; without one its partition is left out.
 * </ul>
 */
final class OffsetFile {
  /** More than any reset can be. */
  private static final int MAX_BYTES = 32 << 20;

  private static final Pattern LINE =
      Pattern.compile("([^\\s,]+)[\\s,]+(\\d{1,9})[\\s,]+(\\d{1,18})");
  private static final List<String> OFFSETS = List.of("offset", "newOffset", "committedOffset");
  private static final JsonFactory FACTORY = new JsonFactory();

  private final String name;
  private final Map<TopicPartition, PartitionOffset> offsets = new LinkedHashMap<>();

  private OffsetFile(String name) {
    this.name = name;
  }

  /**
   * @throws IOException if it cannot be read, or says something else; the message is for people
   */
  static List<PartitionOffset> read(Path file) throws IOException {
    if (file.toString().equals("-")) {
      return read("standard input", System.in);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(file.toString(), in);
    }
  }

  /** The same of what was opened. */
  static List<PartitionOffset> read(String name, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new IOException("%s is larger than %d bytes".formatted(name, MAX_BYTES));
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    OffsetFile read = new OffsetFile(name);
    if (text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[")) {
      read.json(text);
    } else {
      read.lines(text);
    }
    if (read.offsets.isEmpty()) {
      throw new IOException(name + " names no offset");
    }
    return List.copyOf(read.offsets.values());
  }

  private void lines(String text) throws IOException {
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      int comment = line.indexOf('#');
      String said = (comment < 0 ? line : line.substring(0, comment)).strip();
      Matcher matcher = LINE.matcher(said);
      if (matcher.matches()) {
        add(matcher.group(1), Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)));
      } else if (!said.isEmpty()) {
        throw new IOException(
            "%s, line %d: '%s' is not 'topic partition offset'"
                .formatted(name, number, said.substring(0, Math.min(60, said.length()))));
      }
    }
  }

  /** Of several groups, or of several looks, there may be different offsets: nobody can choose. */
  private void add(String topic, int partition, long offset) throws IOException {
    PartitionOffset said =
        PartitionOffset.newBuilder()
            .setTopic(topic)
            .setPartition(partition)
            .setOffset(offset)
            .build();
    TopicPartition key = new TopicPartition(topic, partition);
    PartitionOffset before = offsets.putIfAbsent(key, said);
    if (before != null && before.getOffset() != offset) {
      throw new IOException(
          "%s names two offsets of %s: %d and %d".formatted(name, key, before.getOffset(), offset));
    }
  }

  private void json(String text) throws IOException {
    try (JsonParser json = FACTORY.createParser(text)) {
      while (json.nextToken() != null) {
        value(json);
      }
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s, line %d: %s".formatted(name, e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    }
  }

  /** Takes one value, whatever it is; objects are looked at when they end. */
  private @Nullable Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String field = json.currentName();
          json.nextToken();
          Object value = value(json);
          if (value != null) {
            fields.put(field, value);
          }
        }
        object(fields);
        yield null;
      }
      case START_ARRAY -> {
        while (json.nextToken() != JsonToken.END_ARRAY) {
          value(json);
        }
        yield null;
      }
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT -> json.getLongValue();
      default -> null;
    };
  }

  private void object(Map<String, Object> fields) throws IOException {
    Optional<Long> offset =
        OFFSETS.stream()
            .map(fields::get)
            .filter(Long.class::isInstance)
            .map(Long.class::cast)
            .findFirst();
    if (offset.isPresent()
        && fields.get("topic") instanceof String topic
        && fields.get("partition") instanceof Long partition
        && partition.intValue() == partition) {
      add(topic, partition.intValue(), offset.get());
    }
  }
}
