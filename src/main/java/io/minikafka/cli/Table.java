package io.minikafka.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rows under headings, each column as wide as its widest cell; numbers stand to the right. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
    return this;
  }

  void print(PrintWriter out) {
    int columns = rows.getFirst().size();
    int[] widths = IntStream.range(0, columns).map(this::width).toArray();
    boolean[] numeric = new boolean[columns];
    for (int i = 0; i < columns; i++) {
      numeric[i] = isNumeric(i);
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = row.get(i);
        String padding = " ".repeat(widths[i] - cell.length());
        line.append(i == 0 ? "" : "  ").append(numeric[i] ? padding + cell : cell + padding);
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private boolean isNumeric(int column) {
    return rows.size() > 1
        && rows.stream()
            .skip(1)
            .allMatch(row -> row.get(column).matches("-|-?[0-9,]+(\\.[0-9]+)?( ([KMGTPE]i)?B)?"));
  }
}
