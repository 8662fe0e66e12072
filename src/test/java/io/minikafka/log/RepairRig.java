package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.LogCheck.Finding;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A log that is to be harmed and repaired, and what is to be seen of it. */
final class RepairRig {
  private static final int SEGMENTS = 4;

  /** Batches of a segment, and records of a batch. */
  private static final int BATCHES = 2;

  static final int RECORDS = 5;

  final LogBench bench;

  RepairRig(Path data) throws IOException {
    bench = new LogBench(data);
  }

  /** Four segments of two batches of five records. */
  PartitionStore written() throws IOException {
    PartitionStore store = open();
    for (int i = 0; i < SEGMENTS * BATCHES; i++) {
      bench.append(store, RECORDS, 100);
    }
    store.flush();
    return store;
  }

  PartitionStore open() throws IOException {
    return bench.open(LogBench.segments(1600));
  }

  PartitionStore reopened(PartitionStore store) throws IOException {
    bench.restart(store);
    return open();
  }

  /** Flips a bit in the second batch of a segment. */
  void flip(long base) throws IOException {
    flip(bench.logFile(base), (int) Files.size(bench.logFile(base)) / 2 + 300);
  }

  static void flip(Path file, int position) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      int value = out.read();
      out.seek(position);
      out.write(value ^ 4);
    }
  }

  static List<Finding> verified(PartitionStore store) throws IOException {
    List<Finding> found = new ArrayList<>();
    try (var check = store.check()) {
      while (!check.isDone()) {
        found.addAll(check.step(1));
      }
    }
    return found;
  }

  static Repair repaired(PartitionStore store, RepairAction action, long offset)
      throws IOException {
    RepairResult.Done planned =
        assertInstanceOf(RepairResult.Done.class, store.repair(action, offset, true));
    RepairResult.Done done =
        assertInstanceOf(RepairResult.Done.class, store.repair(action, offset, false));
    assertEquals(planned.repair(), done.repair().withCopies(List.of()), "the plan was kept");
    return done.repair();
  }

  static RepairResult.Refused refused(PartitionStore store, RepairAction action, long at)
      throws IOException {
    return assertInstanceOf(RepairResult.Refused.class, store.repair(action, at, false));
  }

  /** Offsets that can be read; their values are checked. */
  static List<Long> served(PartitionStore store) throws IOException {
    List<Long> offsets = new ArrayList<>();
    long end = store.snapshot().end();
    for (long at = store.snapshot().start(); at < end; ) {
      switch (store.read(at, 300, true, end)) {
        case ReadResult.Damaged damaged -> at = damaged.to();
        case ReadResult.Entries entries -> {
          long next = entries.nextOffset();
          assertTrue(next > at, "no progress at " + at);
          var reader = new io.minikafka.record.RecordReader(LogBench.bytes(entries), at);
          for (var view = reader.next(); view != null; view = reader.next()) {
            String value = new String(view.value().orElseThrow().toArray());
            assertEquals(LogBench.text(view.offset(), value.length()), value);
            offsets.add(view.offset());
          }
          at = next;
        }
        case ReadResult.OutOfRange range -> throw new AssertionError(range + " at " + at);
        case ReadResult.Offline offline -> throw new AssertionError(offline.reason());
      }
    }
    return offsets;
  }

  static List<Long> offsets(long from, long to) {
    return Stream.iterate(from, offset -> offset < to, offset -> offset + 1).toList();
  }

  static List<Long> without(long from, long to, long end) {
    List<Long> all = new ArrayList<>(offsets(0, from));
    all.addAll(offsets(to, end));
    return all;
  }

  void servesAllBut(long from, long to, PartitionStore store) throws IOException {
    assertEquals("", store.snapshot().offline());
    assertEquals(List.of(), store.damage());
    assertEquals(without(from, to, 40), served(store));
  }
}
