package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.PartitionStore.Snapshot;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.sim.SentBatch.Fate;
import io.minikafka.sim.SentBatch.Sent;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must be true of a compacted log, as far as it is not true of every log: the newest record of
 * each key is there, unless it is a tombstone that was written longer ago than tombstones stay; and
 * where that is gone nothing older of its key is left. One thread.
 */
record KeyedRecords(PartitionId id) {
  /** A record whose place is known. */
  private record At(long offset, SentBatch batch, int index, boolean there, boolean wasMissing) {
    Sent sent() {
      return batch.records.get(index);
    }

    boolean isTombstone() {
      return sent().value().isEmpty();
    }
  }

  /**
   * Everything from the log start to the end was read.
   *
   * @param placed batches whose place is known, by offset
   * @param sent all of them
   * @param met which of their records were read
   */
  void walked(
      Collection<SentBatch> placed,
      Collection<SentBatch> sent,
      Map<SentBatch, BitSet> met,
      Snapshot now,
      Collection<StoreSettings> settings,
      long latestMs) {
    Map<Bytes, At> newest = new HashMap<>();
    Map<Bytes, At> newestThere = new HashMap<>();
    for (SentBatch batch : placed) {
      BitSet there = met.getOrDefault(batch, new BitSet());
      if (batch.nextOffset() > now.end() && there.isEmpty()) {
        continue;
      }
      for (int i = 0; i < batch.records.size(); i++) {
        long offset = batch.baseOffset + i;
        if (offset >= now.start()) {
          At at = new At(offset, batch, i, there.get(i), batch.removed.get(i));
          newest.put(key(at), at);
          if (at.there) {
            newestThere.put(key(at), at);
          } else {
            batch.removed.set(i);
          }
        }
      }
    }
    Set<Bytes> unknown = keysOfUnknownPlace(sent, placed, met);
    newest.forEach(
        (key, at) -> {
          if (!at.there && !unknown.contains(key)) {
            checkMissing(at, Optional.ofNullable(newestThere.get(key)), settings, latestMs, now);
          }
        });
  }

  private void checkMissing(
      At at, Optional<At> older, Collection<StoreSettings> settings, long latestMs, Snapshot now) {
    // What an earlier walk missed went under settings of that life, and was judged then.
    boolean mayGo =
        at.wasMissing
            || at.isTombstone()
                && settings.stream()
                    .anyMatch(
                        s -> at.batch.appendTime + s.cleanup().deleteRetentionMs() <= latestMs);
    if (!mayGo) {
      throw new Violation(
          "%s: compaction lost the newest record of a key, %s at offset %d of %s, written %d ms ago; %s",
          id, at.sent(), at.offset, at.batch, latestMs - at.batch.appendTime, now);
    }
    if (older.isPresent()) {
      throw new Violation(
          "%s: offset %d deleted a key and is gone, and offset %d of that key is still there",
          id, at.offset, older.get().offset);
    }
  }

  /** A batch nobody heard of may have been written and compacted away before anybody looked. */
  private static Set<Bytes> keysOfUnknownPlace(
      Collection<SentBatch> sent, Collection<SentBatch> placed, Map<SentBatch, BitSet> met) {
    Set<SentBatch> known = new HashSet<>(placed);
    known.addAll(met.keySet());
    Set<Bytes> keys = new HashSet<>();
    for (SentBatch batch : sent) {
      boolean mayBeThere = batch.fate == Fate.OPEN || batch.fate == Fate.UNKNOWN;
      if (mayBeThere && !known.contains(batch)) {
        batch.records.forEach(record -> keys.add(record.key().orElseThrow()));
      }
    }
    return keys;
  }

  private static Bytes key(At at) {
    return at.sent().key().orElseThrow();
  }

  /** Compaction can only move an answer up, and not beyond the newest record of a key. */
  Optional<String> lookUpProblem(
      Placed placed, long timestamp, TimeLookup found, long from, long to) {
    Map<Bytes, Long> newest = new HashMap<>();
    long next = from;
    for (SentBatch batch : placed.between(from, to)) {
      if (batch.baseOffset > next) {
        return Optional.empty();
      }
      for (int i = 0; i < batch.records.size(); i++) {
        Sent sent = batch.records.get(i);
        long offset = batch.baseOffset + i;
        newest.remove(sent.key().orElseThrow());
        if (offset >= from && offset < to && sent.value().isPresent()) {
          newest.put(sent.key().orElseThrow(), sent.timestamp() >= timestamp ? offset : -1L);
        }
        if (offset == found.offset() && found.timestamp() != sent.timestamp()) {
          return Optional.of("%s, sent was %s".formatted(found, sent));
        }
      }
      next = batch.nextOffset();
    }
    long most = newest.values().stream().filter(o -> o >= 0).min(Long::compare).orElse(-1L);
    boolean isThere = found.offset() >= from && found.offset() < to;
    boolean none = found.equals(TimeLookup.NONE);
    boolean late = most >= 0 && (none || found.offset() > most);
    boolean wrong = !none && (!isThere || found.timestamp() < timestamp);
    return late || wrong
        ? Optional.of("%s, at offset %d is one that stays".formatted(found, most))
        : Optional.empty();
  }
}
