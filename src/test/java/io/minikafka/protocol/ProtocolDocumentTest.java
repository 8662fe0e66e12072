package io.minikafka.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.golden.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/PROTOCOL.md says what the code says, and the code nothing that it does not. */
class ProtocolDocumentTest {
  private static final Pattern LAYOUT =
      Pattern.compile("```layout (\\w+) (\\d+) (request|response)\n(.*?)```", Pattern.DOTALL);

  private final String document;

  ProtocolDocumentTest() throws IOException {
    document = Files.readString(Path.of("docs/PROTOCOL.md"));
  }

  @Test
  void theTableOfApisIsThatOfTheCode() {
    assertEquals(
        Arrays.stream(Api.values())
            .map(
                api ->
                    "%d %s %d to %d".formatted(api.code(), api, api.minVersion(), api.maxVersion()))
            .collect(Collectors.joining("\n")),
        Tables.behind(document, "## APIs").stream()
            .map(row -> String.join(" ", row))
            .collect(Collectors.joining("\n")));
  }

  @Test
  void theTableOfErrorsIsThatOfTheCode() {
    assertEquals(
        Arrays.stream(ErrorCode.values())
            .map(error -> "%d %s %d".formatted(error.code(), error, error.forVersion0().code()))
            .collect(Collectors.joining("\n")),
        Tables.behind(document, "## Errors").stream()
            .map(row -> String.join(" ", row.subList(0, 3)))
            .collect(Collectors.joining("\n")));
  }

  @Test
  void everyLayoutIsThatOfItsCodec() {
    Map<String, String> ofTheCode = new TreeMap<>();
    for (Call<?, ?> call : Calls.ALL) {
      String name = call.api() + " " + call.version();
      ofTheCode.put(name + " request", call.request().layout());
      ofTheCode.put(name + " response", call.response().layout());
    }
    Map<String, String> ofTheDocument = new TreeMap<>();
    Matcher layout = LAYOUT.matcher(document);
    while (layout.find()) {
      ofTheDocument.put(
          layout.group(1) + " " + layout.group(2) + " " + layout.group(3),
          layout.group(4).strip().replaceAll("\\s+", " "));
    }
    assertEquals(lines(ofTheCode), lines(ofTheDocument));
  }

  private static String lines(Map<String, String> rows) {
    return rows.entrySet().stream()
        .map(row -> row.getKey() + ": " + row.getValue())
        .collect(Collectors.joining("\n"));
  }
}
