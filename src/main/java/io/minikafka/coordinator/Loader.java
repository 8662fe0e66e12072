package io.minikafka.coordinator;

import io.minikafka.codec.Bytes;
import io.minikafka.group.GroupRecord;
import io.minikafka.group.GroupRecord.MemberKey;
import io.minikafka.group.GroupRecordCodec;
import io.minikafka.group.GroupSummary;
import io.minikafka.group.Groups;
import io.minikafka.partition.Partition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes groups what the offsets log says they are. Blocks; one thread; used once. */
final class Loader implements Replay.Sink {
  private static final System.Logger LOG = System.getLogger(Loader.class.getName());

  /** A message names no more. */
  private static final int NAMED_GROUPS = 20;

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
  record Result(Status.Loaded loaded, List<MemberKey> leftOut) {}

  /**
   * @param groups empty ones
   * @param withMembers false after damage: without the records in between, those of members may
   *     contradict each other, and a partition must not have two owners
   * @return what was read; the time it took is the caller's to fill in
   * @throws IOException if the log cannot be read to its end; the message is for the operator
   */
  static Result load(Partition offsetsLog, Groups groups, boolean withMembers) throws IOException {
    Loader loader = new Loader(groups, withMembers);
    Replay.Result result = Replay.of(offsetsLog, loader);
    return new Result(
        new Status.Loaded(
            groups.list().size(), result.records(), result.bytes(), 0, loader.missing),
        List.copyOf(loader.leftOut));
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
