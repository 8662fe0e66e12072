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

/** What the commands print with {@code --output json}: one document a line. */
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
