package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a run, in {@code rows.csv} and, the same, in {@code rows.jsonl}. A row is with the
 * operating system when {@link #write} returns, so a run that is killed keeps all it has measured.
 * Rows of an earlier run in the same directory stay in front. One thread.
 */
public final class RowFile implements AutoCloseable {
  private static final String CSV = "rows.csv";
  private static final String JSON = "rows.jsonl";

  private final FileChannel csv;
  private final FileChannel json;

  private RowFile(FileChannel csv, FileChannel json) {
    this.csv = csv;
    this.json = json;
  }

  /**
   * Makes the directory if need be.
   *
   * @throws IOException also if the rows that are there have other columns
   */
  public static RowFile open(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path path = directory.resolve(CSV);
    boolean isNew = !Files.exists(path) || Files.size(path) == 0;
    if (!isNew) {
      checkHead(path);
    }
    FileChannel csv = open(directory, CSV);
    try {
      RowFile file = new RowFile(csv, open(directory, JSON));
      if (isNew) {
        line(csv, RowFormat.csvHead());
      }
      return file;
    } catch (IOException e) {
      csv.close();
      throw e;
    }
  }

  private static void checkHead(Path path) throws IOException {
    try (var lines = Files.lines(path)) {
      if (!lines.findFirst().orElse("").equals(RowFormat.csvHead())) {
        throw new IOException(path + " has other columns; give another directory with --out");
      }
    }
  }

  public void write(Row row) throws IOException {
    line(csv, RowFormat.csv(row));
    line(json, RowFormat.json(row));
  }

  /**
   * The rows that are in a directory. A line that was cut off when its run was killed is passed
   * over.
   */
  public static List<Row> read(Path directory) throws IOException {
    Path path = directory.resolve(CSV);
    List<String> lines;
    try {
      lines = Files.readAllLines(path);
    } catch (NoSuchFileException e) {
      throw new IOException("no rows: there is no " + path, e);
    }
    List<Row> rows = new ArrayList<>();
    if (!lines.isEmpty()) {
      List<String> head = RowFormat.cells(lines.getFirst());
      for (String line : lines.subList(1, lines.size())) {
        if (RowFormat.cells(line).size() == head.size()) {
          rows.add(RowFormat.parse(head, line));
        }
      }
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    try {
      csv.close();
    } finally {
      json.close();
    }
  }

  /** What follows a line that was cut off begins a line of its own. */
  private static FileChannel open(Path directory, String name) throws IOException {
    Path path = directory.resolve(name);
    boolean cutOff = Files.exists(path) && endsWithoutLineFeed(Files.readString(path));
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    if (cutOff) {
      line(channel, "");
    }
    return channel;
  }

  private static boolean endsWithoutLineFeed(String text) {
    return !text.isEmpty() && !text.endsWith("\n");
  }

  private static void line(FileChannel out, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((text + '\n').getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }
}
