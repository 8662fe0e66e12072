package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.ConsumerRecord;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints the records that are wanted, and knows which of them have left the process. One thread.
 */
final class RecordPrinter {
  private final RecordFormat layout;
  private final RecordOutput out;
  private final @Nullable Long max;
  private final ArrayDeque<Printed> printed = new ArrayDeque<>();
  private long count;

  /**
   * @param max most records that are printed; null: all
   */
  RecordPrinter(RecordFormat layout, RecordOutput out, @Nullable Long max) {
    this.layout = layout;
    this.out = out;
    this.max = max;
  }

  /**
   * @param endBytes of the output, behind the record
   */
  private record Printed(TopicPartition partition, long nextOffset, long endBytes) {}

  /** Whether as many were printed as were wanted. */
  boolean isFull() {
    return max != null && count >= max;
  }

  void print(ConsumerRecord record) throws IOException {
    layout.write(record, out);
    count++;
    printed.add(new Printed(record.source(), record.offset() + 1, out.putBytes()));
  }

  void flush() throws IOException {
    out.flush();
  }

  /** Behind the last record of each partition that is out since this was last asked. */
  Map<TopicPartition, Long> takeOut() {
    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
    while (!printed.isEmpty() && printed.peek().endBytes() <= out.goneBytes()) {
      Printed next = printed.remove();
      offsets.put(next.partition(), next.nextOffset());
    }
    return offsets;
  }

  /** Whether the reader of a pipe had enough ({@code head}, say): nobody is left to be told. */
  static boolean isEndOfReader(IOException e) {
    return "Broken pipe".equals(e.getMessage());
  }
}
