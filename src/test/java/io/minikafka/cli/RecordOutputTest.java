package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordOutputTest {
  /** Takes so many bytes, then breaks as a pipe does whose reader has gone. */
  private static final class Pipe extends OutputStream {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final int room;

    Pipe(int room) {
      this.room = room;
    }

    @Override
    public void write(int b) {
      throw new AssertionError("piece by piece, not byte by byte");
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (taken.size() + length > room) {
        throw new IOException("Broken pipe");
      }
      taken.write(bytes, from, length);
    }
  }

  @Test
  void everythingComesOutInOrder() throws IOException {
    byte[] bytes = new byte[300_000];
    new Random(5).nextBytes(bytes);
    Pipe pipe = new Pipe(Integer.MAX_VALUE);
    RecordOutput out = new RecordOutput(pipe);

    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(1 + at % 9_000, bytes.length - at);
      out.write(bytes, at, length);
      at += length;
    }
    out.write(7);
    out.flush();

    byte[] expected = Arrays.copyOf(bytes, bytes.length + 1);
    expected[bytes.length] = 7;
    assertArrayEquals(expected, pipe.taken.toByteArray());
    assertEquals(300_001, out.putBytes());
    assertEquals(300_001, out.goneBytes());
  }

  @Test
  void whatABrokenPipeHasTakenIsKnown() throws IOException {
    Pipe pipe = new Pipe(10_000);
    RecordOutput out = new RecordOutput(pipe);
    out.write(new byte[50_000]);
    assertEquals(0, out.goneBytes());

    IOException e = assertThrows(IOException.class, out::flush);

    assertEquals(true, RecordPrinter.isEndOfReader(e));
    assertEquals(pipe.taken.size(), out.goneBytes());
    assertEquals(8_192, out.goneBytes());
  }
}
