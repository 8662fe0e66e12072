package io.minikafka.bench;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Every sample of the latencies of a run, as histograms in HdrHistogram's own log format, in {@code
 * latencies.hlog}: what a row's percentiles were taken from, for those who want others. One thread.
 */
public final class HistogramFile implements AutoCloseable {
  private final Path path;
  private final PrintStream out;
  private final HistogramLogWriter writer;
  private boolean hasHead;

  private HistogramFile(Path path, PrintStream out) {
    this.path = path;
    this.out = out;
    this.writer = new HistogramLogWriter(out);
  }

  /** Appends to what is there; nothing as long as there are no histograms. */
  public static HistogramFile open(Path directory) throws IOException {
    Path path = directory.resolve("latencies.hlog");
    return new HistogramFile(
        path,
        new PrintStream(new FileOutputStream(path.toFile(), true), false, StandardCharsets.UTF_8));
  }

  /**
   * @param tag without commas, blanks and line feeds
   */
  public void write(String tag, Latencies latencies, long nowMs) throws IOException {
    if (!hasHead) {
      writer.outputLogFormatVersion();
      writer.outputLegend();
      hasHead = true;
    }
    Histogram histogram = latencies.histogram();
    histogram.setTag(tag);
    histogram.setStartTimeStamp(nowMs);
    histogram.setEndTimeStamp(nowMs);
    writer.outputIntervalHistogram(histogram);
    out.flush();
    if (out.checkError()) {
      throw new IOException("the histograms could not be written");
    }
  }

  /** Leaves no file that says nothing. */
  @Override
  public void close() throws IOException {
    out.close();
    if (Files.size(path) == 0) {
      Files.delete(path);
    }
  }
}
