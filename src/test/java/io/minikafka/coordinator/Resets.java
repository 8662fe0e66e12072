package io.minikafka.coordinator;

import io.minikafka.PartitionId;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A group over several lives of a broker whose one offset is only ever set from outside: after each
 * crash it is what was set last, and the undo would put back what that replaced.
 */
final class Resets {
  private static final String GROUP = "set";

  private final List<String> violations;

  /** What is committed, and what the last reset replaced. */
  private Optional<Long> now = Optional.empty();

  private Optional<Long> before = Optional.empty();

  /** What was asked for and not answered yet: may be set, or not. */
  private Optional<Long> asked = Optional.empty();

  private long next;

  Resets(List<String> violations) {
    this.violations = violations;
  }

  void set(Life life) {
    if (asked.isPresent()) {
      return;
    }
    long offset = ++next % Life.RECORDS;
    asked = Optional.of(offset);
    PartitionId partition = life.partition(0);
    life.coordinator
        .look(
            groups ->
                groups
                    .positions(GROUP)
                    .flatMap(found -> Optional.ofNullable(found.commits().get(partition))))
        .thenAccept(committed -> set(life, partition, committed, offset));
  }

  private void set(
      Life life, PartitionId partition, Optional<CommittedOffset> committed, long offset) {
    life.coordinator.ask(
        0,
        ticket ->
            new GroupEvent.SetOffsets(
                ticket,
                GROUP,
                List.of(new GroupEvent.OffsetChange(partition, committed, offset, 0, "")),
                false,
                false,
                OptionalLong.empty(),
                life.coordinator.logStarts(),
                life.coordinator.logEnds()),
        reply -> {
          if (reply instanceof GroupReply.Answered(GroupResult.OffsetsSet done)) {
            isSet(offset);
          }
        });
  }

  private void isSet(long offset) {
    before = now;
    now = Optional.of(offset);
    asked = Optional.empty();
  }

  /** What a client finds that comes back after a crash. */
  void check(Life life) {
    List<GroupReply> replies = new ArrayList<>();
    life.coordinator.ask(
        0,
        ticket -> new GroupEvent.UndoReset(ticket, GROUP, false, true, life.coordinator.logEnds()),
        replies::add);
    life.run();
    GroupReply reply = replies.getFirst();
    if (reply instanceof GroupReply.Answered(GroupResult.Undone undone)) {
      long found = undone.offsets().getFirst().reset();
      if (asked.equals(Optional.of(found))) {
        isSet(found);
      }
      Optional<Long> back = undone.offsets().getFirst().now().map(CommittedOffset::offset);
      if (!now.equals(Optional.of(found)) || !back.equals(before)) {
        violations.add(
            "the reset is to %d from %s, acknowledged was %s from %s"
                .formatted(found, back, now, before));
      }
    } else if (now.isPresent()) {
      violations.add("the reset to %s cannot be undone: %s".formatted(now, reply));
    }
    asked = Optional.empty();
  }
}
