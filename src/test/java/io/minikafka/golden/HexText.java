package io.minikafka.golden;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes as a person can read them: two hexadecimal digits each, what follows {@code #} is a
 * comment. A line {@code # offset N…} must stand before byte N, so that it cannot lie.
 */
public final class HexText {
  private static final Pattern OFFSET = Pattern.compile("# offset (\\d+).*");
  private static final Pattern BLOCK =
      Pattern.compile("```hex ([a-z0-9-]+)\n(.*?)```", Pattern.DOTALL);
  private static final Path FOLDER = Path.of("src/test/resources/golden");
  private static final String SUFFIX = ".hex";

  private HexText() {}

  /** The bytes of {@code src/test/resources/golden/<name>.hex}. */
  public static byte[] golden(String name) throws IOException {
    return parse(Files.readString(FOLDER.resolve(name + SUFFIX)));
  }

  /** All that lie in that folder, by name. */
  public static Map<String, byte[]> allGolden() throws IOException {
    Map<String, byte[]> found = new LinkedHashMap<>();
    try (var files = Files.list(FOLDER)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (!name.endsWith(SUFFIX)) {
          throw new AssertionError("a stranger among the golden files: " + name);
        }
        found.put(name.replace(SUFFIX, ""), parse(Files.readString(file)));
      }
    }
    return found;
  }

  /** The blocks {@code ```hex name} of a document, by name. */
  public static Map<String, byte[]> blocks(String document) {
    Map<String, byte[]> found = new LinkedHashMap<>();
    Matcher block = BLOCK.matcher(document);
    while (block.find()) {
      if (found.put(block.group(1), parse(block.group(2))) != null) {
        throw new AssertionError("two examples are called " + block.group(1));
      }
    }
    return found;
  }

  public static byte[] parse(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : text.lines().toList()) {
      Matcher offset = OFFSET.matcher(line);
      if (offset.matches() && Integer.parseInt(offset.group(1)) != bytes.size()) {
        throw new AssertionError("'%s' stands before byte %d".formatted(line, bytes.size()));
      }
      String digits = line.replaceFirst("#.*", "").strip();
      if (!digits.isEmpty()) {
        for (String pair : digits.split(" +")) {
          if (!pair.matches("[0-9a-f]{2}")) {
            throw new AssertionError("no byte: '%s' in '%s'".formatted(pair, line));
          }
          bytes.write(Integer.parseInt(pair, 16));
        }
      }
    }
    return bytes.toByteArray();
  }
}
