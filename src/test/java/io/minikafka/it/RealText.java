package io.minikafka.it;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A text file of at least 100 MB: the sources of the JDK that runs the test, or, where it came
 * without them, words and numbers made from a seed.
 */
final class RealText {
  static final long LEAST_BYTES = 100_000_000;

  private RealText() {}

  static Path write(Path file) throws IOException {
    Path sources = Path.of(System.getProperty("java.home"), "lib", "src.zip");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      if (Files.isReadable(sources)) {
        unpack(sources, out);
      } else {
        invent(out);
      }
    }
    if (Files.size(file) < LEAST_BYTES) {
      throw new IOException("only " + Files.size(file) + " bytes of text");
    }
    return file;
  }

  private static void unpack(Path sources, OutputStream out) throws IOException {
    long bytes = 0;
    try (ZipFile zip = new ZipFile(sources.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements() && bytes < LEAST_BYTES) {
        ZipEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".java")) {
          bytes += zip.getInputStream(entry).transferTo(out);
        }
      }
    }
  }

  private static void invent(OutputStream out) throws IOException {
    Random random = new Random(100);
    long bytes = 0;
    for (long line = 0; bytes < LEAST_BYTES; line++) {
      StringBuilder text = new StringBuilder().append(line);
      for (int word = random.nextInt(20); word > 0; word--) {
        text.append(' ').append(Integer.toString(random.nextInt(1 << 24), 36));
      }
      byte[] utf8 = text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
      out.write(utf8);
      bytes += utf8.length;
    }
  }
}
