package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.codec.Bytes;
import io.minikafka.record.Header;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What the commands print with {@code --output json}: one object a line. A field is called as in
 * gRPC; docs/CLI.md says where it is not, and why.
 */
final class Json {
  private static final JsonFactory FACTORY =
      new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  /** Writes the fields of one document. */
  interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  private Json() {}

  /** One object and a line feed. */
  static void line(OutputStream out, Body body) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  /**
   * Bytes as text under {@code name} where they are UTF-8, else as base64 under {@code name}Base64;
   * null if there are none.
   */
  static void bytes(JsonGenerator json, String name, Optional<Bytes> bytes) throws IOException {
    if (bytes.isEmpty()) {
      json.writeNullField(name);
      return;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.get().buffer()).toString();
      json.writeStringField(name, text);
    } catch (CharacterCodingException e) {
      json.writeBinaryField(name + "Base64", bytes.get().toArray());
    }
  }

  /**
   * Offsets that follow each other, as text says them: both ends are in. Nothing if there are none.
   *
   * @param to the offset behind the last
   */
  static void range(JsonGenerator json, long from, long to) throws IOException {
    if (to > from) {
      json.writeNumberField("firstOffset", from);
      json.writeNumberField("lastOffset", to - 1);
    }
  }

  static void strings(JsonGenerator json, String name, List<String> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  /** Left out where there is nothing to say. */
  static void text(JsonGenerator json, String name, String text) throws IOException {
    if (!text.isEmpty()) {
      json.writeStringField(name, text);
    }
  }

  static void headers(JsonGenerator json, List<Header> headers) throws IOException {
    json.writeArrayFieldStart("headers");
    for (Header header : headers) {
      json.writeStartObject();
      json.writeStringField("key", header.key());
      bytes(json, "value", header.value());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
