package io.minikafka.admin;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.DamagedRange;
import io.minikafka.admin.v1.Durability;
import io.minikafka.admin.v1.LogServiceRepairPartitionResponse;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.OfflinePartition;
import io.minikafka.admin.v1.OffsetRange;
import io.minikafka.admin.v1.RecordHeader;
import io.minikafka.admin.v1.RepairAction;
import io.minikafka.admin.v1.Segment;
import io.minikafka.admin.v1.UnreadableSegment;
import io.minikafka.admin.v1.VerifyFinding;
import io.minikafka.broker.AppendedRecord;
import io.minikafka.broker.FlushedPartition;
import io.minikafka.broker.NewRecord;
import io.minikafka.broker.VerifyReport;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.LogCheck;
import io.minikafka.partition.Repair;
import io.minikafka.partition.SegmentDescription;
import io.minikafka.record.Header;
import java.util.Optional;
import java.util.OptionalLong;

/** What the broker says about logs, as messages, and what it is told. Stateless. */
final class LogMessages {
  private LogMessages() {}

  static Segment segment(SegmentDescription segment) {
    Segment.Builder message =
        Segment.newBuilder()
            .setBaseOffset(segment.baseOffset())
            .setNextOffset(segment.nextOffset())
            .setSizeBytes(segment.bytes())
            .setActive(segment.active())
            .setCompacted(segment.compacted());
    time(segment.newestTimestamp()).ifPresent(message::setNewestTimestamp);
    time(segment.lastAppendTime()).ifPresent(message::setLastAppendTime);
    segment.damage().forEach(range -> message.addDamage(range(range)));
    return message.build();
  }

  static DamagedRange range(io.minikafka.partition.DamagedRange range) {
    DamagedRange.Builder message =
        DamagedRange.newBuilder()
            .setFromOffset(range.from())
            .setToOffset(range.to())
            .setSegmentBaseOffset(range.segmentBase())
            .setPosition(range.position())
            .setSizeBytes(range.bytes())
            .setCause(range.what());
    if (range.foundMs() > 0) {
      time(range.foundMs()).ifPresent(message::setFoundAt);
    }
    return message.build();
  }

  /** Empty also if a message cannot say it: producers may send any 64 bits. */
  static Optional<Timestamp> time(long ms) {
    Timestamp time =
        Timestamp.newBuilder()
            .setSeconds(Math.floorDiv(ms, 1000L))
            .setNanos((int) Math.floorMod(ms, 1000L) * 1_000_000)
            .build();
    return Timestamps.isValid(time) ? Optional.of(time) : Optional.empty();
  }

  static NewRecord added(AppendRecord message) {
    return new NewRecord(
        message.hasKey() ? Optional.of(message.getKey().toByteArray()) : Optional.empty(),
        message.hasValue() ? Optional.of(message.getValue().toByteArray()) : Optional.empty(),
        message.getHeadersList().stream().map(LogMessages::header).toList(),
        message.hasTimestamp()
            ? OptionalLong.of(Timestamps.toMillis(message.getTimestamp()))
            : OptionalLong.empty());
  }

  private static Header header(RecordHeader message) {
    return new Header(
        message.getKey(),
        message.hasValue() ? Optional.of(bytes(message.getValue())) : Optional.empty());
  }

  private static Bytes bytes(ByteString value) {
    return Bytes.of(value.toByteArray());
  }

  static io.minikafka.admin.v1.AppendedRecord appended(AppendedRecord appended) {
    io.minikafka.admin.v1.AppendedRecord.Builder message =
        io.minikafka.admin.v1.AppendedRecord.newBuilder().setPartition(appended.partition());
    switch (appended) {
      case AppendedRecord.Checked checked -> {}
      case AppendedRecord.Done done -> {
        message.setOffset(done.offset()).setDurability(durability(done.reached()));
        time(done.appendTime()).ifPresent(message::setAppendTime);
      }
      case AppendedRecord.Failed failed -> message.setError(failed.refusal().message());
    }
    return message.build();
  }

  private static Durability durability(io.minikafka.partition.Durability reached) {
    return switch (reached) {
      case TOPIC -> Durability.DURABILITY_UNSPECIFIED;
      case WRITTEN -> Durability.DURABILITY_WRITTEN;
      case FLUSHED -> Durability.DURABILITY_FLUSHED;
    };
  }

  /** Empty for one that is not known here. */
  static Optional<io.minikafka.partition.Durability> durability(Durability wanted) {
    return switch (wanted) {
      case DURABILITY_UNSPECIFIED -> Optional.of(io.minikafka.partition.Durability.TOPIC);
      case DURABILITY_WRITTEN -> Optional.of(io.minikafka.partition.Durability.WRITTEN);
      case DURABILITY_FLUSHED -> Optional.of(io.minikafka.partition.Durability.FLUSHED);
      case UNRECOGNIZED -> Optional.empty();
    };
  }

  static io.minikafka.admin.v1.FlushedPartition flushed(FlushedPartition flushed) {
    return io.minikafka.admin.v1.FlushedPartition.newBuilder()
        .setTopic(flushed.topic())
        .setPartition(flushed.partition())
        .setDurableOffset(flushed.durable())
        .setError(flushed.error())
        .build();
  }

  static LogServiceVerifyResponse verified(VerifyReport report) {
    return LogServiceVerifyResponse.newBuilder()
        .setTopic(report.topic())
        .setPartition(report.partition())
        .setCheckedBytes(report.checkedBytes())
        .setTotalBytes(report.totalBytes())
        .setCheckedPartitionCount(report.checkedPartitions())
        .setPartitionCount(report.partitions())
        .addAllFindings(report.findings().stream().map(LogMessages::finding).toList())
        .build();
  }

  private static VerifyFinding finding(LogCheck.Finding finding) {
    VerifyFinding.Builder message = VerifyFinding.newBuilder();
    switch (finding) {
      case LogCheck.Finding.Damaged(var range, boolean isNew) -> {
        if (isNew) {
          message.setNewDamage(range(range));
        } else {
          message.setKnownDamage(range(range));
        }
      }
      case LogCheck.Finding.Skipped(long from, long to) -> message.setSkipped(offsets(from, to));
      case LogCheck.Finding.Unreadable(long base, String what) ->
          message.setUnreadable(UnreadableSegment.newBuilder().setBaseOffset(base).setCause(what));
      case LogCheck.Finding.Offline(String reason) ->
          message.setOffline(OfflinePartition.newBuilder().setReason(reason));
    }
    return message.build();
  }

  private static OffsetRange offsets(long from, long to) {
    return OffsetRange.newBuilder().setFromOffset(from).setToOffset(to).build();
  }

  static LogServiceRepairPartitionResponse repaired(Repair repair) {
    return LogServiceRepairPartitionResponse.newBuilder()
        .setRange(range(repair.range()))
        .setLost(offsets(repair.lostFrom(), repair.lostTo()))
        .setLogEndOffset(repair.end())
        .setSetAsideBytes(repair.bytesSetAside())
        .addAllCopies(repair.copies())
        .addAllRewrittenFiles(repair.rewritten())
        .addAllRemovedFiles(repair.removed())
        .build();
  }

  /** Empty for one that is not known here, and where nothing is said. */
  static Optional<io.minikafka.partition.RepairAction> action(RepairAction action) {
    return switch (action) {
      case REPAIR_ACTION_SKIP -> Optional.of(io.minikafka.partition.RepairAction.SKIP);
      case REPAIR_ACTION_CUT -> Optional.of(io.minikafka.partition.RepairAction.CUT);
      case REPAIR_ACTION_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }
}
