package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupDescription.MemberView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Steps and views as text for people: partitions by name, numbers of answers as opening.count. */
final class Transcript {
  private final List<String> lines = new ArrayList<>();
  private final Map<UUID, String> names = new HashMap<>();

  void name(UUID topic, String name) {
    names.put(topic, name);
  }

  List<String> lines() {
    return lines;
  }

  void command(String line) {
    lines.add(line);
  }

  private void say(String text, Object... values) {
    lines.add("  " + text.formatted(values));
  }

  void step(Step step, Map<Long, String> labels) {
    step.records().forEach(this::record);
    step.news().forEach(this::news);
    for (Answer answer : step.answers()) {
      say("%s: %s", labels.getOrDefault(answer.ticket(), "?"), result(answer.result()));
    }
  }

  private void record(GroupRecord record) {
    switch (record) {
      case GroupRecord.Commit commit ->
          say("write commit %s %s", name(commit.key().partition()), offset(commit.value()));
      case GroupRecord.Group group ->
          say(
              "write group %s generation %d %s %s",
              group.key().group(),
              group.generation(),
              group.assignor(),
              group.emptySinceMs() < 0 ? "in use" : "empty since " + group.emptySinceMs());
      case GroupRecord.Member member ->
          say(
              "write member %s %s owns %s",
              member.key().member(), member.state(), owned(member.owned()));
      case GroupRecord.Reset reset ->
          say(
              "write reset %s to %d, before %s",
              name(reset.key().partition()), reset.value().offset(), before(reset.value()));
      case GroupRecord.Opening opening -> say("write opening %d", opening.number());
      case GroupRecord.Tombstone tombstone ->
          say(
              "delete %s",
              switch (tombstone.key()) {
                case GroupRecord.CommitKey key -> "commit " + name(key.partition());
                case GroupRecord.GroupKey key -> "group " + key.group();
                case GroupRecord.MemberKey key -> "member " + key.member();
                case GroupRecord.OpeningKey key -> "opening";
                case GroupRecord.ResetKey key -> "reset " + name(key.partition());
              });
    }
  }

  private String owned(List<GroupRecord.Owned> owned) {
    return list(owned.stream().map(one -> name(one.partition()) + "@" + one.grant()).toList());
  }

  private void news(GroupNews news) {
    switch (news) {
      case GroupNews.Granted granted -> {} // The member's record says it.
      case GroupNews.Ended ended ->
          say("%s no longer owns %s: %s", ended.member(), name(ended.partition()), ended.reason());
      case GroupNews.Clamped clamped ->
          say(
              "clamped %s from %d to %d",
              name(clamped.partition()), clamped.fromOffset(), clamped.toOffset());
      case GroupNews.OffsetExpired expired ->
          say("expired %s %d", name(expired.partition()), expired.offset());
      case GroupNews.Rebalanced rebalanced -> say("%s", rebalance(rebalanced.rebalance()));
    }
  }

  private static String rebalance(Rebalance rebalance) {
    return "rebalance %d, %s: %d members, %d moved, %s"
        .formatted(
            rebalance.generation(),
            String.join(", ", rebalance.reasons()),
            rebalance.members(),
            rebalance.partitionsMoved(),
            rebalance.superseded()
                ? "overtaken by the next"
                : rebalance.durationMs().isPresent()
                    ? "settled after %d ms".formatted(rebalance.durationMs().getAsLong())
                    : "under way");
  }

  String result(GroupResult result) {
    return switch (result) {
      case GroupResult.Refused refused -> refused.error() + ", " + named(refused.message());
      case GroupResult.Done done -> "done";
      case GroupResult.Joined joined ->
          "joined as %s, generation %d, answer %s, %s%s, waits up to %d ms"
              .formatted(
                  joined.member(),
                  joined.generation(),
                  number(joined.assignment()),
                  partitions(joined.partitions()),
                  joined.pending() ? ", more to come" : "",
                  joined.maxHeartbeatWaitMs());
      case GroupResult.Current current ->
          "generation %d, answer %s, %s%s"
              .formatted(
                  current.generation(),
                  number(current.assignment()),
                  partitions(current.partitions()),
                  current.pending() ? ", more to come" : "");
      case GroupResult.Committed committed ->
          committed.written()
              ? "committed"
              : "nothing committed: %s; %s"
                  .formatted(
                      list(
                          committed.parts().stream()
                              .map(
                                  part ->
                                      name(part.partition())
                                          + " "
                                          + part.error().map(Enum::name).orElse("NONE"))
                              .toList()),
                      named(committed.message()));
      case GroupResult.Offsets offsets -> fetched(offsets.offsets());
      case GroupResult.OffsetsSet set ->
          "set, generation %d, before %s".formatted(set.generation(), fetched(set.previous()));
      case GroupResult.Undone undone ->
          "undone what was set at %d, generation %d, now %s%s"
              .formatted(
                  undone.resetAtMs(),
                  undone.generation(),
                  fetched(
                      undone.offsets().stream()
                          .map(one -> new GroupResult.FetchedOffset(one.partition(), one.now()))
                          .toList()),
                  undone.groupGone() ? ", and the group is gone" : "");
    };
  }

  private static String before(ResetOffset reset) {
    return reset.previous().map(Transcript::offset).orElse("not found");
  }

  private String fetched(List<GroupResult.FetchedOffset> offsets) {
    return list(
        offsets.stream()
            .map(
                one ->
                    name(one.partition())
                        + " "
                        + one.commit().map(Transcript::offset).orElse("not found"))
            .toList());
  }

  private static String offset(CommittedOffset commit) {
    return commit.offset()
        + (commit.epoch() == 0 ? "" : " of epoch " + commit.epoch())
        + (commit.metadata().isEmpty()
            ? ""
            : commit.metadata().length() > 40
                ? " '%d characters'".formatted(commit.metadata().length())
                : " '" + commit.metadata() + "'");
  }

  private String partitions(List<GrantedPartition> partitions) {
    return list(
        partitions.stream()
            .map(one -> one.topic() + "-" + one.partition().partition() + "@" + one.grant())
            .toList());
  }

  void description(GroupDescription group) {
    say(
        "%s, generation %d, %s, %d commits",
        group.summary().state(),
        group.summary().generation(),
        group.summary().assignor(),
        group.summary().commits());
    for (MemberView view : group.members()) {
      say(
          "%s%s %s, version %d, session over in %d ms, owns %s%s",
          view.member(),
          view.instance().isEmpty() ? "" : " (" + view.instance() + ")",
          view.state(),
          view.version(),
          view.sessionLeftMs(),
          list(
              view.owned().stream()
                  .map(
                      one ->
                          name(one.partition())
                              + "@"
                              + one.grant()
                              + (one.letGoInMs().isEmpty()
                                  ? ""
                                  : " (to let go in " + one.letGoInMs().getAsLong() + " ms)"))
                  .toList()),
          view.pending().isEmpty() ? "" : ", awaits " + view.pending().size());
    }
    group.rebalances().forEach(one -> say("%s", rebalance(one)));
  }

  static String number(long assignment) {
    return (assignment >> 40) + "." + (assignment & 0xff_ffff_ffffL);
  }

  String name(PartitionId partition) {
    return names.getOrDefault(partition.topicId(), "?") + "-" + partition.partition();
  }

  private String named(String message) {
    String text = message;
    for (Map.Entry<UUID, String> entry : names.entrySet()) {
      text = text.replace(entry.getKey() + "/", entry.getValue() + "-");
    }
    return text;
  }

  private static String list(List<String> items) {
    return items.isEmpty() ? "nothing" : items.stream().collect(Collectors.joining(" "));
  }
}
