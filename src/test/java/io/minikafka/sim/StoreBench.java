package io.minikafka.sim;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CheckedBatch;
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
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores on a simulated disk, turned by hand, and one partition of them. One thread. */
final class StoreBench {
  static final PartitionId ID = new PartitionId(new UUID(1, 2), 3);
  static final int RECORD_BYTES = 200;

  final SimDisk disk = new SimDisk(1);
  final SimClock clock = new SimClock();
  private final Stack stack;
  private final Random random = new Random(1);
  Process process;
  PartitionStores stores;

  /** What the store told, in order. */
  final List<String> told = new ArrayList<>();

  StoreBench(Stack stack) throws IOException {
    this.stack = stack;
    this.process = newProcess();
    this.stores = stack.open(process);
  }

  private Process newProcess() {
    return new Process(disk, Path.of("/data"), clock, EngineObserver.NONE, random);
  }

  static StoreSettings settings(FlushPolicy policy) {
    return new StoreSettings(2048, Long.MAX_VALUE, 256, -1, -1, policy, 50);
  }

  PartitionStore open() throws IOException {
    return open(FlushPolicy.COMMIT);
  }

  PartitionStore open(FlushPolicy policy) throws IOException {
    PartitionStore store = stores.open(ID, settings(policy));
    told.clear();
    store.listen(
        new PartitionStore.Listener() {
          @Override
          public void onDurable(long durable) {
            told.add("durable " + durable);
          }

          @Override
          public void onStart(long start) {
            told.add("start " + start);
          }

          @Override
          public void onOffline(String reason) {
            told.add("offline");
          }
        });
    return store;
  }

  /** The process is killed and the next one opens the stores. */
  void restart() throws IOException {
    process.end();
    disk.processKill();
    process = newProcess();
    stores = stack.open(process);
  }

  void powerLoss() throws IOException {
    process.end();
    disk.powerLoss();
    process = newProcess();
    stores = stack.open(process);
  }

  /** Lets everything happen that is under way, also what takes a while. */
  void settle() {
    for (int i = 0; i < 10; i++) {
      process.settle();
      clock.advance(20);
    }
    process.settle();
  }

  /** Appends one batch of records whose values are their offsets, at the log end. */
  void append(PartitionStore store, int records) throws IOException {
    store.append(List.of(batch(store, store.snapshot().end(), records)));
  }

  /** A batch ready to be written; a record's timestamp is ten times its offset. */
  StampedBatch batch(PartitionStore store, long baseOffset, int records) {
    BatchBuilder builder = new BatchBuilder(256);
    for (int i = 0; i < records; i++) {
      String text = "%-172d".formatted(baseOffset + i);
      builder.append(
          10 * (baseOffset + i), null, text.getBytes(StandardCharsets.US_ASCII), List.of());
    }
    ByteBuffer sent = builder.version1();
    ByteBuffer out = ByteBuffer.allocate(sent.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    out.put(sent).flip();
    if (!(BatchCheck.version1(Bytes.of(out)) instanceof CheckedBatch batch)) {
      throw new AssertionError("a good batch was refused");
    }
    ByteBuffer in = batch.buffer();
    long offset = baseOffset;
    for (int at = batch.entriesAt(); at < batch.limit(); at += Entry.bytes(in, at)) {
      in.putLong(at + Entry.OFFSET, offset++);
    }
    PartitionStore.Snapshot now = store.snapshot();
    BatchMarker.stamp(
        in,
        batch.markerAt(),
        baseOffset,
        now.epoch(),
        clock.millis(),
        now.durable(),
        PartitionHash.of(ID));
    return new StampedBatch(
        in,
        batch.markerAt(),
        batch.bytes(),
        baseOffset,
        records,
        batch.maxTimestamp(),
        clock.millis());
  }

  /** Offsets of the records an answer holds; their values were looked at. Releases it. */
  static List<Long> offsets(ReadResult result) throws IOException {
    if (!(result instanceof Entries entries)) {
      throw new AssertionError("no entries but " + result);
    }
    RecordReader reader = new RecordReader(Blobs.take(entries.blob()), 0);
    List<Long> offsets = new ArrayList<>();
    for (@Nullable RecordView record = reader.next(); record != null; record = reader.next()) {
      String text = new String(record.value().orElseThrow().toArray(), StandardCharsets.US_ASCII);
      if (Long.parseLong(text.strip()) != record.offset()) {
        throw new AssertionError("offset %d holds %s".formatted(record.offset(), text));
      }
      offsets.add(record.offset());
    }
    if (!offsets.isEmpty() && offsets.getLast() + 1 != entries.nextOffset()) {
      throw new AssertionError(offsets + " and goes on at " + entries.nextOffset());
    }
    return offsets;
  }

  /** All there is, read in one series. */
  static List<Long> all(PartitionStore store) throws IOException {
    List<Long> all = new ArrayList<>();
    PartitionStore.Snapshot now = store.snapshot();
    for (long next = now.start(); next < now.end(); next = all.getLast() + 1) {
      all.addAll(offsets(store.read(next, 1000, true, now.end())));
    }
    return all;
  }
}
