package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CorruptEntryException;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What came of one partition, decoded and checked record by record as {@code poll} returns them.
 * The polling thread's alone.
 */
final class FetchedPart {
  private final AssignedPartition state;
  private final PartitionId id;
  private final int generation;
  private final ByteBuffer entries;
  private final RecordReader reader;
  private int checkedMarker = -1;
  private int epoch;
  private long partitionHash;

  FetchedPart(AssignedPartition state, TopicInfo topic, ByteBuffer entries, LossListener losses) {
    this.state = state;
    this.id = new PartitionId(topic.id(), state.partition().partition());
    this.generation = state.generation();
    this.entries = entries;
    this.epoch = state.lastEpoch();
    this.reader =
        new RecordReader(
            entries,
            state.fetchOffset(),
            state.fetchOffset() < state.batchEnd(),
            (from, to) -> losses.onRecordsLost(state.partition(), from, to));
  }

  AssignedPartition state() {
    return state;
  }

  /** Whether the partition was sought elsewhere meanwhile. */
  boolean isStale() {
    return state.generation() != generation;
  }

  /**
   * Adds records until there are {@code max} or no more; moves the position.
   *
   * @return whether all have been returned
   * @throws CorruptDataException with the records before it added and the position at it
   */
  boolean drainTo(List<ConsumerRecord> out, int max) {
    try {
      while (out.size() < max) {
        RecordView record = reader.next();
        checkMarker();
        if (record == null) {
          state.returned(reader.nextOffset(), epoch);
          return true;
        }
        out.add(new ConsumerRecord(state.partition(), record));
        state.returned(record.offset() + 1, epoch);
      }
      return false;
    } catch (CorruptEntryException e) {
      throw new CorruptDataException(
          state.partition(), e.offset(), batchEnd(e.offset()), String.valueOf(e.getMessage()), e);
    }
  }

  /** Of the batch that holds an offset, by its marker, which was checked. */
  private long batchEnd(long offset) {
    int at = checkedMarker;
    if (at < 0) {
      return CorruptDataException.UNKNOWN;
    }
    long end =
        entries.getLong(at + BatchMarker.BASE_OFFSET) + entries.getInt(at + BatchMarker.SPAN);
    return offset < end ? end : CorruptDataException.UNKNOWN;
  }

  /** A marker says which partition it was written to. */
  private void checkMarker() {
    int at = reader.markerAt();
    if (at == checkedMarker) {
      return;
    }
    checkedMarker = at;
    epoch = entries.getInt(at + BatchMarker.LOG_EPOCH);
    long written = entries.getLong(at + BatchMarker.PARTITION_HASH);
    if (partitionHash == 0) {
      partitionHash = PartitionHash.of(id);
    }
    if (written != partitionHash) {
      throw new CorruptDataException(
          state.partition(),
          entries.getLong(at + BatchMarker.BASE_OFFSET),
          "the batch at offset %d belongs to another partition"
              .formatted(entries.getLong(at + BatchMarker.BASE_OFFSET)),
          null);
    }
  }
}
