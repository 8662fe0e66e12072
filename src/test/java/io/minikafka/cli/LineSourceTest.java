package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineSourceTest {
  @Test
  void linesLoseTheirLineFeedAndNothingElse() throws IOException {
    assertEquals(List.of("a", "", "b\r", "c"), lines("a\n\nb\r\nc", false, 100));
  }

  @Test
  void rawLinesPutTogetherAreTheStreamAgain() throws IOException {
    Random random = new Random(7);
    byte[] bytes = new byte[300_000];
    random.nextBytes(bytes);
    ByteArrayOutputStream together = new ByteArrayOutputStream();
    LineSource source = new LineSource(drip(bytes, random), true, bytes.length);
    for (byte[] line = source.next(); line != null; line = source.next()) {
      together.write(line);
    }
    assertArrayEquals(bytes, together.toByteArray());
  }

  @Test
  void aLineLongerThanTheBufferIsWhole() throws IOException {
    String longLine = "x".repeat(1 << 18);
    assertEquals(List.of("a", longLine, "b"), lines("a\n" + longLine + "\nb\n", false, 1 << 18));
  }

  @Test
  void aLineOverTheBoundIsNamedByItsNumberAndTheBound() {
    IOException e = assertThrows(IOException.class, () -> lines("ok\n123456\n", false, 5));
    assertEquals(
        "line 2 is longer than 5 bytes, the most that fits in a record of 16777216 (16 MiB)",
        e.getMessage());
  }

  @Test
  void anEndlessLineIsRefusedBeforeItFillsTheMemory() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }
        };
    LineSource source = new LineSource(endless, false, 1 << 20);
    assertThrows(IOException.class, source::next);
  }

  @Test
  void anEmptyStreamHasNoLine() throws IOException {
    assertEquals(List.of(), lines("", false, 5));
  }

  private static List<String> lines(String text, boolean raw, int maxLineBytes) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    LineSource source = new LineSource(new ByteArrayInputStream(bytes), raw, maxLineBytes);
    List<String> lines = new ArrayList<>();
    for (byte[] line = source.next(); line != null; line = source.next()) {
      lines.add(new String(line, StandardCharsets.UTF_8));
    }
    return lines;
  }

  /** A stream that gives its bytes in pieces of random size, as a pipe does. */
  private static InputStream drip(byte[] bytes, Random random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, 1 + random.nextInt(5_000)));
      }
    };
  }
}
