package io.minikafka.cli;

import static java.util.stream.Collectors.toCollection;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
 *       newOffset}, else {@code committedOffset}; without one its partition is left out. Where it
 *       has offsets of several groups, only those of the group that is to be set count.
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

  private final List<Said> said = new ArrayList<>();

  /**
   * @param group whose it is; "" if that is not said
   */
  private record Said(String group, PartitionOffset offset) {}

  private OffsetFile(String name) {
    this.name = name;
  }

  /**
   * @param group that is to be set
   * @throws IOException if it cannot be read, or says something else; the message is for people
   */
  static List<PartitionOffset> read(Path file, String group) throws IOException {
    if (file.toString().equals("-")) {
      return read("standard input", System.in, group);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(file.toString(), in, group);
    }
  }

  /** The same of what was opened. */
  static List<PartitionOffset> read(String name, InputStream in, String group) throws IOException {
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
    return List.copyOf(read.of(group).values());
  }

  /** Of several looks there may be different offsets: nobody can choose. */
  private Map<TopicPartition, PartitionOffset> of(String group) throws IOException {
    Set<String> groups = said.stream().map(Said::group).collect(toCollection(TreeSet::new));
    groups.remove("");
    if (groups.size() > 1 && !groups.contains(group)) {
      throw new IOException(
          "%s has offsets of %d groups, and none of '%s'".formatted(name, groups.size(), group));
    }
    Map<TopicPartition, PartitionOffset> offsets = new LinkedHashMap<>();
    for (Said one : said) {
      if (groups.size() <= 1 || one.group.isEmpty() || one.group.equals(group)) {
        PartitionOffset offset = one.offset;
        TopicPartition key = new TopicPartition(offset.getTopic(), offset.getPartition());
        PartitionOffset before = offsets.putIfAbsent(key, offset);
        if (before != null && before.getOffset() != offset.getOffset()) {
          throw new IOException(
              "%s names two offsets of %s: %d and %d"
                  .formatted(name, key, before.getOffset(), offset.getOffset()));
        }
      }
    }
    if (offsets.isEmpty()) {
      throw new IOException(name + " names no offset");
    }
    return offsets;
  }

  private void lines(String text) throws IOException {
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      int comment = line.indexOf('#');
      String said = (comment < 0 ? line : line.substring(0, comment)).strip();
      Matcher matcher = LINE.matcher(said);
      if (matcher.matches()) {
        add(
            "",
            matcher.group(1),
            Integer.parseInt(matcher.group(2)),
            Long.parseLong(matcher.group(3)));
      } else if (!said.isEmpty()) {
        throw new IOException(
            "%s, line %d: '%s' is not 'topic partition offset'"
                .formatted(name, number, said.substring(0, Math.min(60, said.length()))));
      }
    }
  }

  private void add(String group, String topic, int partition, long offset) {
    said.add(
        new Said(
            group,
            PartitionOffset.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setOffset(offset)
                .build()));
  }

  private void json(String text) throws IOException {
    try (JsonParser json = FACTORY.createParser(text)) {
      while (json.nextToken() != null) {
        value(json, "");
      }
    } catch (JsonProcessingException e) {
      // Of some limits it does not say where they were met.
      String line = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
      throw new IOException("%s%s: %s".formatted(name, line, e.getOriginalMessage()), e);
    }
  }

  /**
   * Takes one value, whatever it is; objects are looked at when they end.
   *
   * @param around the group that it is about, which stands before what is said of it; or ""
   */
  private @Nullable Object value(JsonParser json, String around) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        String group = around;
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String field = json.currentName();
          json.nextToken();
          Object value = value(json, group);
          if (value != null) {
            fields.put(field, value);
          }
          if (field.equals("group") && value instanceof String named) {
            group = named;
          }
        }
        object(fields, group);
        yield null;
      }
      case START_ARRAY -> {
        while (json.nextToken() != JsonToken.END_ARRAY) {
          value(json, around);
        }
        yield null;
      }
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getText();
      default -> null;
    };
  }

  private void object(Map<String, Object> fields, String group) throws IOException {
    Optional<String> said = OFFSETS.stream().filter(fields::containsKey).findFirst();
    if (said.isPresent() && fields.get("topic") instanceof String topic) {
      long partition = number(topic, "partition", fields.get("partition"));
      if (partition > Integer.MAX_VALUE) {
        throw new IOException("%s: there is no partition %d".formatted(name, partition));
      }
      long offset = number(topic, said.get(), fields.get(said.get()));
      add(group, topic, (int) partition, offset);
    }
  }

  /** As programs write it, also those that have large numbers in quotes. */
  private long number(String topic, String field, @Nullable Object value) throws IOException {
    if (value instanceof String text) {
      try {
        long number = Long.parseLong(text);
        if (number >= 0 && text.matches("[0-9]+")) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Told below, as what is less than 0.
      }
    }
    throw new IOException(
        "%s: %s of topic %s is %s, must be a whole number, 0 or more"
            .formatted(name, field, topic, value == null ? "missing" : "'" + value + "'"));
  }
}
