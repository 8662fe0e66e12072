package io.minikafka.coordinator;

import io.minikafka.codec.Bytes;
import io.minikafka.group.GroupLimits;
import io.minikafka.group.GroupRecord;
import io.minikafka.group.GroupRecord.MemberKey;
import io.minikafka.group.GroupRecordCodec;
import io.minikafka.group.GroupSummary;
import io.minikafka.group.Groups;
import io.minikafka.partition.LogCheck;
import io.minikafka.partition.Partition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes groups what the offsets log says they are. A clean start compares no checksums, so that
 * this may be the first to meet damage: then the log is checked, which names it, and read once
 * more, over the damage. Blocks; one thread; used once.
 */
final class Loader implements Replay.Sink {
  private static final System.Logger LOG = System.getLogger(Loader.class.getName());

  /** A message names no more. */
  private static final int NAMED_GROUPS = 20;

  private static final int CHECK_STEP_BYTES = 1 << 20;

  private final Groups groups;
  private final boolean withMembers;
  private final Set<MemberKey> leftOut = new LinkedHashSet<>();
  private final List<Status.Missing> missing = new ArrayList<>();

  private Loader(Groups groups, boolean withMembers) {
    this.groups = groups;
    this.withMembers = withMembers;
  }

  /**
   * What was read.
   *
   * @param leftOut members that were left out
   */
  record Result(Groups groups, Status.Loaded loaded, List<MemberKey> leftOut) {}

  /**
   * @param withMembers false after damage: without the records in between, those of members may
   *     contradict each other, and a partition must not have two owners
   * @return what was read; the time it took is the caller's to fill in
   * @throws IOException if the log cannot be read to its end; the message is for the operator
   */
  static Result load(Partition offsetsLog, GroupLimits limits, boolean withMembers)
      throws IOException {
    try {
      return new Loader(new Groups(limits), withMembers).load(offsetsLog, false);
    } catch (Replay.CorruptException e) {
      check(offsetsLog, e);
    }
    try {
      return new Loader(new Groups(limits), withMembers).load(offsetsLog, true);
    } catch (Replay.CorruptException e) {
      throw new IOException(
          e.getMessage() + "; a check of all bytes of that log names no damage there", e);
    }
  }

  private Result load(Partition offsetsLog, boolean afterCheck) throws IOException {
    Replay.Result result = Replay.of(offsetsLog, this, afterCheck);
    return new Result(
        groups,
        new Status.Loaded(groups.list().size(), result.records(), result.bytes(), 0, missing),
        List.copyOf(leftOut));
  }

  /** What is found becomes known damage of the log, and is told by it. */
  private static void check(Partition offsetsLog, Replay.CorruptException why) throws IOException {
    try (LogCheck check = offsetsLog.check()) {
      while (!check.isDone()) {
        check.step(CHECK_STEP_BYTES);
      }
    } catch (IOException e) {
      e.addSuppressed(why);
      throw new IOException(
          "%s; the check of that log failed: %s".formatted(why.getMessage(), e.getMessage()), e);
    }
  }

  @Override
  public void replay(Bytes key, Optional<Bytes> value) {
    GroupRecord record = GroupRecordCodec.read(key.buffer(), value.map(Bytes::buffer));
    if (withMembers || !(record.key() instanceof MemberKey member)) {
      groups.replay(record);
    } else if (value.isPresent()) {
      leftOut.add(member);
    } else {
      leftOut.remove(member);
    }
  }

  @Override
  public void missing(Replay.Damage damage) {
    List<String> names = groups.list().stream().map(GroupSummary::group).toList();
    missing.add(new Status.Missing(damage.from(), damage.to(), damage.sinceMs(), names));
    LOG.log(
        Level.WARNING,
        () ->
            ("the offsets log is damaged from offset %d to %d: what was written there after %s is"
                    + " lost. Groups that may have gone back: %s")
                .formatted(
                    damage.from(),
                    damage.to() - 1,
                    damage.sinceMs() == 0
                        ? "its beginning"
                        : Instant.ofEpochMilli(damage.sinceMs()).toString(),
                    named(names)));
  }

  private static String named(List<String> names) {
    if (names.isEmpty()) {
      return "none that are known";
    }
    String first = String.join(", ", names.subList(0, Math.min(NAMED_GROUPS, names.size())));
    return names.size() <= NAMED_GROUPS
        ? first
        : "%s and %d more".formatted(first, names.size() - NAMED_GROUPS);
  }
}
