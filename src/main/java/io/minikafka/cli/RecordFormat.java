package io.minikafka.cli;

import io.minikafka.client.ConsumerRecord;
import io.minikafka.codec.Bytes;
import io.minikafka.record.Header;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How {@code consume} prints a record: a template compiled once. Keys and values are written as the
 * bytes they are. Immutable.
 */
final class RecordFormat {
  /** For help texts. */
  static final String LEGEND =
      "%%t topic, %%p partition, %%o offset, %%T timestamp in ms, %%D timestamp as a date, %%k key,"
          + " %%v value, %%h headers, %%s bytes of the value, %%%% a percent sign; \\n \\t \\r \\0"
          + " \\\\";

  private static final byte[] NULL = utf8("null");

  private interface Piece {
    void write(ConsumerRecord record, OutputStream out) throws IOException;
  }

  private final List<Piece> pieces;

  private RecordFormat(List<Piece> pieces) {
    this.pieces = pieces;
  }

  /** Only the values, with nothing between them. */
  static RecordFormat raw() {
    return new RecordFormat(
        List.of(
            (record, out) -> out.write(record.value().map(Bytes::toArray).orElse(new byte[0]))));
  }

  /** One JSON document a line. */
  static RecordFormat json() {
    return new RecordFormat(List.of(RecordFormat::writeJson));
  }

  /**
   * @throws IllegalArgumentException naming the place of a letter that means nothing
   */
  static RecordFormat of(String template) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c != '%' && c != '\\') {
        literal.append(c);
        continue;
      }
      if (++i == template.length()) {
        throw new IllegalArgumentException("the format ends with a lone '%c'".formatted(c));
      }
      char letter = template.charAt(i);
      if (c == '\\') {
        literal.append(escape(letter, i));
      } else if (letter == '%') {
        literal.append('%');
      } else {
        addLiteral(literal, pieces);
        pieces.add(field(letter, i));
      }
    }
    addLiteral(literal, pieces);
    return new RecordFormat(List.copyOf(pieces));
  }

  void write(ConsumerRecord record, OutputStream out) throws IOException {
    for (Piece piece : pieces) {
      piece.write(record, out);
    }
  }

  private static void addLiteral(StringBuilder literal, List<Piece> pieces) {
    if (!literal.isEmpty()) {
      byte[] bytes = utf8(literal.toString());
      pieces.add((record, out) -> out.write(bytes));
      literal.setLength(0);
    }
  }

  private static char escape(char letter, int index) {
    return switch (letter) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '0' -> '\0';
      case '\\' -> '\\';
      default ->
          throw new IllegalArgumentException(
              "'\\%c' at index %d of the format means nothing; there are \\n \\t \\r \\0 \\\\"
                  .formatted(letter, index));
    };
  }

  private static Piece field(char letter, int index) {
    return switch (letter) {
      case 't' -> (record, out) -> out.write(utf8(record.topic()));
      case 'p' -> (record, out) -> out.write(utf8(Integer.toString(record.partition())));
      case 'o' -> (record, out) -> out.write(utf8(Long.toString(record.offset())));
      case 'T' -> (record, out) -> out.write(utf8(Long.toString(record.timestamp())));
      case 'D' ->
          (record, out) -> out.write(utf8(Instant.ofEpochMilli(record.timestamp()).toString()));
      case 'k' -> (record, out) -> writeNullable(record.key(), out);
      case 'v' -> (record, out) -> writeNullable(record.value(), out);
      case 's' ->
          (record, out) ->
              out.write(utf8(Integer.toString(record.value().map(Bytes::length).orElse(0))));
      case 'h' -> (record, out) -> writeHeaders(record.headers(), out);
      default ->
          throw new IllegalArgumentException(
              "'%%%c' at index %d of the format means nothing; there are %s"
                  .formatted(letter, index, LEGEND.replace("%%", "%")));
    };
  }

  private static void writeNullable(Optional<Bytes> bytes, OutputStream out) throws IOException {
    out.write(bytes.map(Bytes::toArray).orElse(NULL));
  }

  private static void writeHeaders(List<Header> headers, OutputStream out) throws IOException {
    for (int i = 0; i < headers.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      out.write(utf8(headers.get(i).key()));
      out.write('=');
      writeNullable(headers.get(i).value(), out);
    }
  }

  private static void writeJson(ConsumerRecord record, OutputStream out) throws IOException {
    Json.line(
        out,
        json -> {
          json.writeStringField("topic", record.topic());
          json.writeNumberField("partition", record.partition());
          json.writeNumberField("offset", record.offset());
          json.writeStringField("timestamp", Instant.ofEpochMilli(record.timestamp()).toString());
          Json.bytes(json, "key", record.key());
          Json.bytes(json, "value", record.value());
          Json.headers(json, record.headers());
        });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
