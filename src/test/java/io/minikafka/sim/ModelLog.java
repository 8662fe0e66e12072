package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.partition.Durability;
import io.minikafka.partition.PartitionStore.Snapshot;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.RecordView;
import io.minikafka.sim.SentBatch.Fate;
import io.minikafka.sim.SentBatch.Sent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What must be true of one partition, whatever happens to the machine:
 *
 * <ul>
 *   <li>What was acknowledged as flushed, seen below the durable offset or read under {@code
 *       commit} survives every crash, at its offset, byte for byte.
 *   <li>What was acknowledged as written, or read, survives the end of the process.
 *   <li>A batch is there whole or not at all; once missing after a restart it never comes back; a
 *       refused one never appears; nothing appears that was not sent, and nothing twice.
 *   <li>Batches lie in the order in which they were offered; offsets are dense and never given
 *       twice to batches of which the first was acknowledged.
 *   <li>In a compacted log records may be missing that were outdated, see {@link KeyedRecords};
 *       once missing none comes back.
 *   <li>Log start, durable offset, high watermark and log end never fall while the process runs;
 *       the log start never falls at all.
 * </ul>
 *
 * <p>It is told what was sent, answered and seen, and throws {@link Violation}. One thread.
 */
final class ModelLog {
  /** How the process ended. */
  enum End {
    CLEAN,
    KILL,
    POWER_LOSS
  }

  final PartitionId id;
  private final NavigableMap<Long, SentBatch> byFirstRecord = new TreeMap<>();

  /** Batches whose place is known, by base offset. */
  final Placed placed = new Placed();

  private int sentBatches;
  private int restarts;

  // Promises: what must be there after any crash, what after the end of the process, and what the
  // log start may not fall below.
  private long durablePromise;
  private long writtenPromise;
  private long startPromise;

  // What may move the log start.
  private long trimAsked;
  private final Deque<StoreSettings> settingsOfThisLife = new ArrayDeque<>();
  private long latestMs;

  /** The highest epoch of anything that survives; 0 while nothing does. */
  private int lastEpochKept;

  /** The last state seen in this life. */
  private Snapshot last = new Snapshot(0, 0, 0, 0, Long.MIN_VALUE, "");

  private long lastHighWatermark;

  /** Which records of a batch the walk after a restart has met; empty while none is going on. */
  private Optional<Map<SentBatch, BitSet>> walk = Optional.empty();

  /** A marker that does not fit its batch; told after the next walk, which may find worse. */
  private Optional<String> wrongMarker = Optional.empty();

  /** Empty for a log that is not compacted. */
  private final Optional<KeyedRecords> keyed;

  ModelLog(PartitionId id, boolean compacts) {
    this.id = id;
    this.keyed = compacts ? Optional.of(new KeyedRecords(id)) : Optional.empty();
  }

  boolean isCompacted() {
    return keyed.isPresent();
  }

  /** What is wrong with what a look-up by time found in a compacted log; empty if nothing is. */
  Optional<String> lookUpProblem(long timestamp, TimeLookup found, long from, long to) {
    return keyed.orElseThrow().lookUpProblem(placed, timestamp, found, from, to);
  }

  int nextNumber() {
    return sentBatches++;
  }

  void offered(SentBatch batch) {
    byFirstRecord.put(batch.firstRecord, batch);
  }

  /** An append was answered while the store was in this state. */
  void answered(SentBatch batch, AppendResult result, Snapshot now, long highWatermark) {
    if (batch.answered) {
      throw new Violation("%s: %s was answered twice, now with %s", id, batch, result);
    }
    batch.answered = true;
    switch (result) {
      case Appended appended -> acknowledged(batch, appended, now, highWatermark);
      case Refused refused -> {
        boolean written = refused.reason() == Reason.STORAGE_FAILED;
        if (batch.baseOffset >= 0 && !written) {
          throw new Violation("%s: %s was seen and then refused: %s", id, batch, refused);
        }
        batch.fate = written ? Fate.UNKNOWN : Fate.REFUSED;
      }
    }
  }

  private void acknowledged(SentBatch batch, Appended answer, Snapshot now, long highWatermark) {
    if (batch.baseOffset < 0) {
      placed.place(batch, answer.baseOffset());
    } else if (batch.baseOffset != answer.baseOffset()) {
      throw new Violation("%s: %s is acknowledged at %d", id, batch, answer.baseOffset());
    }
    batch.appendTime = answer.appendTime();
    writtenPromise = Math.max(writtenPromise, batch.nextOffset());
    if (answer.epoch() > now.epoch() || now.end() < batch.nextOffset()) {
      throw new Violation(
          "%s: %s is acknowledged with %s, the store has %s", id, batch, answer, now);
    }
    switch (answer.reached()) {
      case WRITTEN -> {
        batch.fate = Fate.WRITTEN;
        if (batch.wanted == Durability.FLUSHED) {
          throw new Violation("%s: %s wanted FLUSHED and got %s", id, batch, answer);
        }
      }
      case FLUSHED -> {
        batch.fate = Fate.DURABLE;
        durablePromise = Math.max(durablePromise, batch.nextOffset());
        lastEpochKept = Math.max(lastEpochKept, answer.epoch());
        if (answer.durable() < batch.nextOffset() || highWatermark < batch.nextOffset()) {
          throw new Violation(
              "%s: %s is acknowledged as flushed with durable %d and high watermark %d",
              id, batch, answer.durable(), highWatermark);
        }
      }
      case TOPIC -> throw new Violation("%s: TOPIC is no answer", id);
    }
  }

  /** DeleteRecords is about to be asked for. */
  void trimming(long offset) {
    trimAsked = Math.max(trimAsked, offset);
  }

  /** Settings are about to be in force; a start that was announced under older ones may follow. */
  void configuring(StoreSettings settings) {
    settingsOfThisLife.addLast(settings);
  }

  /** The wall clock's largest value so far. */
  void clockIsAt(long ms) {
    latestMs = Math.max(latestMs, ms);
  }

  private void checkStart(long start) {
    if (start <= Math.max(trimAsked, startPromise)) {
      return;
    }
    long keptBytes = 0;
    for (SentBatch batch : byFirstRecord.values()) {
      boolean mayBeThere = batch.fate == Fate.OPEN || batch.fate == Fate.UNKNOWN;
      keptBytes += mayBeThere || batch.nextOffset() > start ? batch.bytes : 0;
    }
    SentBatch newestRemoved = placed.lastBefore(start);
    if (newestRemoved.nextOffset() > start) {
      throw new Violation("%s: retention cut %s at %d", id, newestRemoved, start);
    }
    for (StoreSettings settings : settingsOfThisLife) {
      boolean byBytes = settings.retentionBytes() >= 0 && keptBytes >= settings.retentionBytes();
      // Compaction may have removed the newest before.
      boolean byTime =
          settings.retentionMs() >= 0
              && (isCompacted() || newestRemoved.appendTime <= latestMs - settings.retentionMs());
      if (settings.cleanup().deletes() && (byBytes || byTime)) {
        return;
      }
    }
    throw new Violation(
        "%s: retention went up to %d: %d bytes are left, the newest batch removed is %d ms old; %s",
        id, start, keptBytes, latestMs - newestRemoved.appendTime, settingsOfThisLife);
  }

  /**
   * A state was seen.
   *
   * @param commitInForce whether the flush policy is {@code commit} and was put in force
   */
  void look(Snapshot now, long highWatermark, boolean commitInForce) {
    if (now.start() > now.durable() || now.durable() > now.end() || highWatermark > now.end()) {
      throw new Violation("%s: impossible: %s, high watermark %d", id, now, highWatermark);
    }
    if (now.start() < last.start()
        || now.durable() < last.durable()
        || now.end() < last.end()
        || highWatermark < lastHighWatermark
        || now.epoch() < last.epoch()) {
      throw new Violation(
          "%s: fell from %s, high watermark %d to %s, high watermark %d",
          id, last, lastHighWatermark, now, highWatermark);
    }
    if (commitInForce && !now.isOffline() && highWatermark > now.durable()) {
      throw new Violation(
          "%s: visible before durable: high watermark %d, %s", id, highWatermark, now);
    }
    checkStart(now.start());
    last = now;
    lastHighWatermark = highWatermark;
    startPromise = Math.max(startPromise, now.start());
    durablePromise = Math.max(durablePromise, now.durable());
    writtenPromise = Math.max(writtenPromise, highWatermark);
  }

  /**
   * A record was read.
   *
   * @param marker the one before it in the same answer, if there is one
   */
  void observe(RecordView record, Optional<BatchMarker> marker) {
    long number = Workload.recordNumber(record.timestamp());
    var entry = byFirstRecord.floorEntry(number);
    if (entry == null || number >= entry.getKey() + entry.getValue().records.size()) {
      throw new Violation("%s: offset %d holds a record nobody sent", id, record.offset());
    }
    SentBatch batch = entry.getValue();
    int index = (int) (number - entry.getKey());
    Sent sent = batch.records.get(index);
    Sent found = new Sent(record.timestamp(), record.key(), record.value(), record.headers());
    if (!found.equals(sent)) {
      throw new Violation("%s: offset %d holds %s, sent was %s", id, record.offset(), found, sent);
    }
    long base = record.offset() - index;
    if (batch.removed.get(index)) {
      throw new Violation(
          "%s: offset %d came back after compaction had removed it", id, record.offset());
    }
    if (batch.fate == Fate.GONE) {
      throw new Violation(
          "%s: %s came back at %d: after an earlier restart it was not in the log",
          id, batch, base);
    }
    if (batch.fate == Fate.REFUSED) {
      throw new Violation("%s: %s is in the log at %d", id, batch, base);
    }
    if (batch.baseOffset < 0) {
      placed.place(batch, base);
    } else if (batch.baseOffset != base) {
      throw new Violation("%s: %s was found at %d", id, batch, base);
    }
    marker.ifPresent(before -> checkMarker(batch, before));
    walk.ifPresent(met -> met.computeIfAbsent(batch, any -> new BitSet()).set(index));
  }

  private void checkMarker(SentBatch batch, BatchMarker marker) {
    if (marker.baseOffset() != batch.baseOffset || marker.span() != batch.records.size()) {
      wrongMarker = Optional.of("%s: %s stands before %s".formatted(id, marker, batch));
    }
    boolean timeKnown = batch.appendTime != Long.MIN_VALUE;
    if (timeKnown && batch.appendTime != marker.appendTime()) {
      throw new Violation(
          "%s: %s was acknowledged with append time %d, its marker has %d",
          id, batch, batch.appendTime, marker.appendTime());
    }
    batch.appendTime = marker.appendTime();
    if (walk.isPresent()) {
      lastEpochKept = Math.max(lastEpochKept, marker.logEpoch());
    }
  }

  // Restarts.

  /** A new process has opened the partition; {@link #observe} of all its records follows. */
  void walkBegins() {
    walk = Optional.of(new HashMap<>());
    last = new Snapshot(0, 0, 0, 0, Long.MIN_VALUE, "");
    lastHighWatermark = 0;
  }

  /** Everything from the log start to the high watermark was observed. */
  void walkEnds(End end, Snapshot now, long highWatermark) {
    restarts++;
    Map<SentBatch, BitSet> met = walk.orElseThrow();
    walk = Optional.empty();
    if (keyed.isPresent()) {
      keyed
          .get()
          .walked(placed.all(), byFirstRecord.values(), met, now, settingsOfThisLife, latestMs);
    }
    for (Map.Entry<SentBatch, BitSet> entry : met.entrySet()) {
      SentBatch batch = entry.getKey();
      long expected = batch.nextOffset() - Math.max(batch.baseOffset, now.start());
      int found = entry.getValue().cardinality();
      if (found != expected && !isCompacted()) {
        throw new Violation(
            "%s: half a batch: %d of %d records of %s are in the log after %s",
            id, found, expected, batch, end);
      }
      batch.fate = Fate.DURABLE;
    }
    long kept = end == End.POWER_LOSS ? durablePromise : Math.max(durablePromise, writtenPromise);
    List<SentBatch> lost = new ArrayList<>();
    for (SentBatch batch : placed.all()) {
      boolean compacted = isCompacted() && batch.nextOffset() <= now.end();
      if (batch.nextOffset() > now.start() && !met.containsKey(batch) && !compacted) {
        if (batch.nextOffset() <= kept) {
          throw new Violation(
              "%s: lost after %s: %s; the log has %d..%d, promised was all below %d",
              id, end, batch, now.start(), now.end() - 1, kept);
        }
        lost.add(batch);
      }
    }
    if (now.end() < kept) {
      throw new Violation(
          "%s: after %s the log ends at %d, promised was all below %d", id, end, now.end(), kept);
    }
    if (now.start() < startPromise) {
      throw new Violation("%s: log start fell from %d to %d", id, startPromise, now.start());
    }
    if (now.durable() != now.end() || highWatermark != now.end()) {
      throw new Violation(
          "%s: recovered, but not all is durable and visible: %s, high watermark %d",
          id, now, highWatermark);
    }
    if (lastEpochKept > 0 && now.epoch() <= lastEpochKept) {
      throw new Violation(
          "%s: opened in epoch %d, epoch %d is used up", id, now.epoch(), lastEpochKept);
    }
    if (wrongMarker.isPresent()) {
      throw new Violation("%s", wrongMarker.get());
    }
    checkStart(now.start());
    lost.forEach(placed::remove);
    for (SentBatch batch : byFirstRecord.values()) {
      boolean compacted = isCompacted() && placed.holds(batch);
      if (!met.containsKey(batch) && batch.fate != Fate.REFUSED && !compacted) {
        if (end == End.CLEAN && batch.fate == Fate.OPEN) {
          throw new Violation("%s: %s was never answered", id, batch);
        }
        batch.fate = Fate.GONE;
      }
    }
    placed.removeBelow(now.start());
    startPromise = now.start();
    durablePromise = now.end();
    writtenPromise = now.end();
    look(now, highWatermark, true);
    trimAsked = 0;
    while (settingsOfThisLife.size() > 1) {
      settingsOfThisLife.removeFirst();
    }
  }

  int restarts() {
    return restarts;
  }

  // Questions.

  List<SentBatch> unanswered() {
    return byFirstRecord.values().stream()
        .filter(batch -> !batch.answered && batch.fate == Fate.OPEN)
        .toList();
  }
}
