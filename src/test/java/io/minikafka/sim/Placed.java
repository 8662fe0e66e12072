package io.minikafka.sim;

import io.minikafka.partition.TimeLookup;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The batches of a partition of which the place is known. Kept by {@link ModelLog}. */
final class Placed {
  /** By base offset. */
  private final NavigableMap<Long, SentBatch> batches = new TreeMap<>();

  /** Finds out where a batch is; it must lie where its number says, between its neighbours. */
  void place(SentBatch batch, long baseOffset) {
    batch.baseOffset = baseOffset;
    var before = batches.floorEntry(baseOffset);
    if (before != null
        && (before.getValue().nextOffset() > baseOffset
            || before.getValue().number > batch.number)) {
      throw new Violation("%s follows %s", batch, before.getValue());
    }
    var after = batches.ceilingEntry(baseOffset);
    if (after != null
        && (after.getKey() < batch.nextOffset() || after.getValue().number < batch.number)) {
      throw new Violation("%s precedes %s", batch, after.getValue());
    }
    batches.put(baseOffset, batch);
  }

  void remove(SentBatch batch) {
    batches.remove(batch.baseOffset);
  }

  /** Forgets what lies wholly below an offset. */
  void removeBelow(long offset) {
    batches.headMap(offset).values().removeIf(batch -> batch.nextOffset() <= offset);
  }

  Collection<SentBatch> all() {
    return batches.values();
  }

  /** The newest batch that begins below an offset. */
  SentBatch lastBefore(long offset) {
    return Optional.ofNullable(batches.lowerEntry(offset))
        .orElseThrow(() -> new Violation("nothing is known to lie below %d", offset))
        .getValue();
  }

  /** The bytes of the entry at this offset with the marker before it, if its batch is known. */
  OptionalInt bytesAt(long offset) {
    var entry = batches.floorEntry(offset);
    if (entry == null || entry.getValue().nextOffset() <= offset) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(entry.getValue().bytesWithMarker((int) (offset - entry.getKey())));
  }

  /** When the record at an offset was appended, if that is known. */
  OptionalLong appendTime(long offset) {
    return between(offset, offset + 1).stream()
        .mapToLong(batch -> batch.appendTime)
        .filter(time -> time != Long.MIN_VALUE)
        .findFirst();
  }

  boolean holds(SentBatch batch) {
    return batches.get(batch.baseOffset) == batch;
  }

  /** Whether a known batch begins there. */
  boolean isBaseOffset(long offset) {
    return batches.containsKey(offset);
  }

  /** Batches known to lie in a range of offsets, at least in part. */
  List<SentBatch> between(long from, long to) {
    var first = batches.floorEntry(from);
    boolean reaches = first != null && first.getValue().nextOffset() > from;
    return List.copyOf(batches.subMap(reaches ? first.getKey() : from, true, to, false).values());
  }

  /** The first record of at least that time, if everything in the range is known. */
  Optional<TimeLookup> offsetForTime(long timestamp, long from, long to) {
    return find(from, to, (best, time) -> best < 0 && time >= timestamp);
  }

  /** The record of the largest time, if everything in the range is known. */
  Optional<TimeLookup> latestTimestamp(long from, long to) {
    return find(from, to, (best, time) -> time > best);
  }

  private interface Better {
    boolean than(long best, long time);
  }

  private Optional<TimeLookup> find(long from, long to, Better better) {
    TimeLookup found = TimeLookup.NONE;
    long next = from;
    for (SentBatch batch : between(from, to)) {
      if (batch.baseOffset > next) {
        return Optional.empty();
      }
      for (int i = 0; i < batch.records.size(); i++) {
        long offset = batch.baseOffset + i;
        long time = batch.records.get(i).timestamp();
        if (offset >= from && offset < to && better.than(found.timestamp(), time)) {
          found = new TimeLookup(offset, time);
        }
      }
      next = batch.nextOffset();
    }
    return next >= to ? Optional.of(found) : Optional.empty();
  }
}
