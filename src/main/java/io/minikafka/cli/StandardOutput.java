package io.minikafka.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * What commands print to, in place of the {@code System.out} the JVM begins with, which forgets why
 * it could not be written.
 */
public final class StandardOutput extends PrintStream {
  private static final int BUFFER_BYTES = 8 << 10;

  private final Kept kept;

  private StandardOutput(Kept kept, Charset charset) {
    super(new BufferedOutputStream(kept, BUFFER_BYTES), true, charset);
    this.kept = kept;
  }

  /** Becomes {@code System.out}. */
  public static void take() {
    take(new FileOutputStream(FileDescriptor.out), System.out.charset());
  }

  static void take(OutputStream to, Charset charset) {
    System.setOut(new StandardOutput(new Kept(to), charset));
  }

  /**
   * Writes out what is printed so far.
   *
   * @param out what prints to it
   * @throws IOException if that, or anything before, could not be written; not if the reader of a
   *     pipe had enough
   */
  static void check(PrintWriter out) throws IOException {
    out.flush();
    System.out.flush();
    if (!(System.out instanceof StandardOutput standard)) {
      return;
    }
    IOException failure = standard.kept.failure;
    if (failure != null && !RecordPrinter.isEndOfReader(failure)) {
      throw new IOException("standard output cannot be written: " + failure.getMessage(), failure);
    }
  }

  /** Keeps the first failure. One thread at a time, the print stream's. */
  private static final class Kept extends OutputStream {
    private final OutputStream to;
    private volatile @Nullable IOException failure;

    Kept(OutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        to.write(bytes, from, length);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        }
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      to.flush();
    }
  }
}
