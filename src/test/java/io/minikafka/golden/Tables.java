package io.minikafka.golden;

import java.util.Arrays;
import java.util.List;

/** Tables of the documents, as rows of cells. */
public final class Tables {
  private Tables() {}

  /** The rows of the first table behind a heading, without its head. */
  public static List<List<String>> behind(String document, String heading) {
    int at = document.indexOf(heading + "\n");
    if (at < 0) {
      throw new AssertionError("no heading " + heading);
    }
    List<String> lines = document.substring(at + heading.length()).lines().toList();
    List<String> table =
        lines.stream()
            .dropWhile(line -> !line.startsWith("|"))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    return table.stream().skip(2).map(Tables::cells).toList();
  }

  private static List<String> cells(String row) {
    String[] cells = row.split("\\|", -1);
    return Arrays.stream(cells).skip(1).limit(cells.length - 2L).map(String::strip).toList();
  }
}
