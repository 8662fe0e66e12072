package io.minikafka.log;

import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A log of keyed records on a {@link LogBench}. A record is written {@code key=value}, a tombstone
 * {@code key}, one without a key {@code =value}.
 */
final class KeyedLog {
  static final int SEGMENT = 1024;
  static final long DELETE_RETENTION_MS = 60_000;

  final LogBench bench;
  PartitionStore store;

  /** All that was written, by offset. */
  final TreeMap<Long, String> written = new TreeMap<>();

  private StoreSettings settings;

  KeyedLog(Path data) throws IOException {
    this(data, compacting(SEGMENT));
  }

  KeyedLog(Path data, StoreSettings settings) throws IOException {
    this.bench = new LogBench(data);
    this.settings = settings;
    this.store = bench.open(settings);
  }

  static StoreSettings compacting(int segmentBytes) {
    return LogBench.segments(segmentBytes)
        .withCleanup(new Cleanup(CleanupPolicy.COMPACT, DELETE_RETENTION_MS, 0, 0));
  }

  void configure(StoreSettings changed) {
    settings = changed;
    store.configure(changed);
  }

  /** One batch. */
  KeyedLog append(String... records) throws IOException {
    long base = store.snapshot().end();
    store.append(List.of(batch(base, records)));
    for (int i = 0; i < records.length; i++) {
      written.put(base + i, records[i]);
    }
    return this;
  }

  private StampedBatch batch(long base, String... records) {
    BatchBuilder builder = new BatchBuilder(256);
    for (String record : records) {
      int equals = record.indexOf('=');
      String key = equals < 0 ? record : record.substring(0, equals);
      byte @Nullable [] value = equals < 0 ? null : bytes(record.substring(equals + 1));
      builder.append(bench.millis, key.isEmpty() ? null : bytes(key), value, List.of());
    }
    ByteBuffer produced = builder.version1();
    ByteBuffer copy =
        ByteBuffer.allocate(produced.remaining()).order(ByteOrder.LITTLE_ENDIAN).put(produced);
    long offset = base;
    for (int at = BatchMarker.BYTES; at < copy.limit(); at += Entry.bytes(copy, at)) {
      copy.putLong(at, offset++);
    }
    PartitionStore.Snapshot now = store.snapshot();
    long appendTime = Math.max(bench.millis, now.lastAppendTime());
    long hash = PartitionHash.of(LogBench.ID);
    BatchMarker.stamp(copy, 0, base, now.epoch(), appendTime, now.durable(), hash);
    return new StampedBatch(copy, 0, copy.limit(), base, records.length, bench.millis, appendTime);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Batches of one record each over some keys, until so many segments are there. */
  KeyedLog fill(int segments, int keys) throws IOException {
    for (int i = 0; store.stats().orElseThrow().segments() < segments; i++) {
      append("key" + i % keys + "=" + "v".repeat(60) + written.size());
    }
    return this;
  }

  /** Seals what there is, makes it durable and has it compacted. */
  KeyedLog compact() throws IOException {
    seal();
    bench.advanceMs(30_000);
    return this;
  }

  /** A batch that fits nowhere begins a new segment. */
  KeyedLog seal() throws IOException {
    append("seal=" + "s".repeat(settings.segmentBytes()));
    append("seal=" + "t".repeat(settings.segmentBytes()));
    store.flush();
    return this;
  }

  KeyedLog restart() throws IOException {
    bench.restart(store);
    store = bench.open(settings);
    return this;
  }

  /** All that can be read, by offset; checks what a reader of version 1 checks. */
  TreeMap<Long, String> read() throws IOException {
    return read(store, store.snapshot().start(), 700);
  }

  static TreeMap<Long, String> read(PartitionStore store, long from, int maxBytes)
      throws IOException {
    TreeMap<Long, String> all = new TreeMap<>();
    long end = store.snapshot().end();
    for (long next = from; next < end; ) {
      ReadResult.Entries entries = (ReadResult.Entries) store.read(next, maxBytes, true, end);
      long after = entries.nextOffset();
      if (after <= next) {
        throw new AssertionError("no way to get on at " + next);
      }
      RecordReader reader = new RecordReader(LogBench.bytes(entries), next, true);
      for (RecordView view = reader.next(); view != null; view = reader.next()) {
        all.put(view.offset(), text(view));
      }
      next = after;
    }
    return all;
  }

  static String text(RecordView view) {
    String key = view.key().map(k -> utf8(k.toArray())).orElse("");
    return view.value().map(value -> key + "=" + utf8(value.toArray())).orElse(key);
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String key(String record) {
    int equals = record.indexOf('=');
    return equals < 0 ? record : record.substring(0, equals);
  }

  /** What must be left when all below an offset was compacted. */
  TreeMap<Long, String> newestBelow(long offset) {
    Map<String, Long> newest = new HashMap<>();
    written.headMap(offset).forEach((at, record) -> newest.put(key(record), at));
    TreeMap<Long, String> left = new TreeMap<>(written);
    left.headMap(offset)
        .entrySet()
        .removeIf(
            entry ->
                !key(entry.getValue()).isEmpty()
                    && newest.getOrDefault(key(entry.getValue()), -1L) > entry.getKey());
    return left;
  }

  /** Base offset of the newest segment: all below can be compacted. */
  long activeBase() throws IOException {
    return bench.bases().getLast();
  }

  List<String> names() throws IOException {
    return new ArrayList<>(bench.disk.list(bench.partition()));
  }
}
