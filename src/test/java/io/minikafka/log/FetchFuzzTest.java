package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random batches and random reads, compared with a list of entries. */
class FetchFuzzTest {
  @TempDir Path data;

  /** An entry as the model knows it. */
  private record Known(boolean marker, long offset, ByteBuffer bytes) {
    long nextOffset() {
      return marker ? offset : offset + 1;
    }
  }

  @Test
  void everyAnswerIsTheModels() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("FetchFuzzTest -Dseed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 6; round++) {
      run(random, data.resolve("round-" + round));
    }
  }

  private static void run(Random random, Path directory) throws IOException {
    try (LogBench bench = new LogBench(directory)) {
      int interval = List.of(1, 64, 512, 4096).get(random.nextInt(4));
      int segmentBytes = List.of(1024, 8192, 100_000, 1 << 20).get(random.nextInt(4));
      StoreSettings settings =
          new StoreSettings(
              segmentBytes, Long.MAX_VALUE, interval, -1, -1, FlushPolicy.COMMIT, 1000);
      PartitionStore store = bench.open(settings);
      List<Known> model = new ArrayList<>();
      List<Long> boundaries = new ArrayList<>();
      boundaries.add(0L);
      for (int i = 0; i < 120; i++) {
        appendBurst(random, bench, store, model, boundaries);
        if (random.nextInt(20) == 0) {
          store.flush();
        }
        if (random.nextInt(40) == 0) {
          bench.restart(store);
          store = bench.open(settings);
        }
        for (int r = 0; r < 10; r++) {
          readOnce(random, store, model, boundaries);
        }
      }
      store.close();
    }
  }

  private static void appendBurst(
      Random random, LogBench bench, PartitionStore store, List<Known> model, List<Long> boundaries)
      throws IOException {
    List<StampedBatch> burst = new ArrayList<>();
    long base = store.snapshot().end();
    int batches = 1 + random.nextInt(4);
    for (int b = 0; b < batches; b++) {
      BatchBuilder builder = new BatchBuilder(64);
      int records = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 6);
      int largest = random.nextInt(12) == 0 ? 9000 : 120;
      for (int i = 0; i < records; i++) {
        byte[] value = new byte[random.nextInt(largest)];
        random.nextBytes(value);
        byte[] key = random.nextBoolean() ? null : new byte[random.nextInt(8)];
        boolean tombstone = random.nextInt(10) == 0;
        builder.append(i, key, tombstone ? null : value, List.of());
      }
      StampedBatch batch = bench.stamped(store, base, builder);
      burst.add(batch);
      base = batch.nextOffset();
      boundaries.add(base);
      ByteBuffer in = batch.buffer();
      for (int at = 0; at < batch.bytes(); at += Entry.bytes(in, at)) {
        model.add(
            new Known(
                BatchMarker.isMarker(in, at),
                Entry.offset(in, at),
                in.slice(at, Entry.bytes(in, at))));
      }
    }
    store.append(burst);
  }

  private static void readOnce(
      Random random, PartitionStore store, List<Known> model, List<Long> boundaries)
      throws IOException {
    long limit = boundaries.get(random.nextInt(boundaries.size()));
    if (random.nextBoolean()) {
      limit = boundaries.getLast();
    }
    long offset = limit == 0 ? 0 : (long) (random.nextDouble() * (limit + 1));
    int maxBytes = random.nextInt(List.of(50, 500, 5000, 200_000).get(random.nextInt(4)));
    boolean atLeastOne = random.nextBoolean();

    Entries answer = (Entries) store.read(offset, maxBytes, atLeastOne, limit);

    ByteBuffer expected = expected(model, offset, maxBytes, atLeastOne, limit);
    ByteBuffer actual = LogBench.bytes(answer);
    String what =
        "read(%d, %d, %s, %d): %d bytes, model %d"
            .formatted(
                offset, maxBytes, atLeastOne, limit, actual.remaining(), expected.remaining());
    // An answer of very many segments may be cut short, at an entry boundary all the same.
    assertTrue(actual.remaining() <= expected.remaining(), what);
    assertEquals(expected.slice(0, actual.remaining()), actual.slice(), what);
    if (actual.remaining() < expected.remaining()) {
      assertTrue(actual.remaining() > 64 * 100, what);
    }
    assertEquals(nextOffset(actual, offset), answer.nextOffset(), what);
  }

  private static long nextOffset(ByteBuffer answer, long asked) {
    long next = asked;
    for (int at = 0; at < answer.remaining(); at += Entry.bytes(answer, at)) {
      next = Entry.offset(answer, at) + Entry.span(answer, at);
    }
    return next;
  }

  private static ByteBuffer expected(
      List<Known> model, long offset, int maxBytes, boolean atLeastOne, long limit) {
    ByteBuffer out = ByteBuffer.allocate(4 << 20);
    int first = 0;
    while (first < model.size() && model.get(first).nextOffset() <= offset) {
      first++;
    }
    if (first < model.size()
        && !model.get(first).marker
        && first > 0
        && model.get(first - 1).marker) {
      first--;
    }
    int pending = 0;
    boolean given = false;
    for (int i = first; i < model.size() && model.get(i).offset < limit; i++) {
      int bytes = model.get(i).bytes.remaining();
      pending += bytes;
      if (model.get(i).marker) {
        continue;
      }
      if (out.position() + pending > maxBytes && !(atLeastOne && !given)) {
        break;
      }
      if (pending > bytes) {
        out.put(model.get(i - 1).bytes.duplicate());
      }
      out.put(model.get(i).bytes.duplicate());
      pending = 0;
      given = true;
    }
    return out.flip();
  }
}
