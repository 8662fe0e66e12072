package io.minikafka.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rows as lines of CSV (every column, empty where there is no value) and of JSON. Stateless. */
final class RowFormat {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  private RowFormat() {}

  static String csvHead() {
    return Arrays.stream(Column.values()).map(Column::title).collect(Collectors.joining(","));
  }

  static String csv(Row row) {
    return Arrays.stream(Column.values())
        .map(column -> quoted(row.text(column)))
        .collect(Collectors.joining(","));
  }

  static String json(Row row) {
    List<String> fields = new ArrayList<>();
    for (Column column : Column.values()) {
      row.cell(column)
          .ifPresent(
              cell ->
                  fields.add(
                      "\"%s\":%s"
                          .formatted(
                              column.title(),
                              cell.isNumber() ? cell.text() : jsonText(cell.text()))));
    }
    return "{" + String.join(",", fields) + "}";
  }

  /**
   * Reads a line of CSV under its head; columns this build does not know are left out.
   *
   * @throws IllegalArgumentException if it has not as many cells as the head
   */
  static Row parse(List<String> head, String line) {
    List<String> cells = cells(line);
    if (cells.size() != head.size()) {
      throw new IllegalArgumentException(
          "%d cells, the head has %d".formatted(cells.size(), head.size()));
    }
    Row.Builder row = Row.builder();
    for (int i = 0; i < cells.size(); i++) {
      String text = cells.get(i);
      if (!text.isEmpty()) {
        Column.of(head.get(i))
            .ifPresent(
                column -> row.cell(column, new Row.Cell(text, NUMBER.matcher(text).matches())));
      }
    }
    return row.build();
  }

  static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean inQuotes = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        boolean doubled = inQuotes && i + 1 < line.length() && line.charAt(i + 1) == '"';
        if (doubled) {
          cell.append('"');
          i++;
        } else {
          inQuotes = !inQuotes;
        }
      } else if (c == ',' && !inQuotes) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }

  private static String quoted(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
    return plain ? text : '"' + text.replace("\"", "\"\"").replaceAll("[\\r\\n]+", " ") + '"';
  }

  private static String jsonText(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
