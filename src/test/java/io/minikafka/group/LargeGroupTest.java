package io.minikafka.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.group.TopicsView.TopicView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A thousand members on ten thousand partitions: what is quadratic anywhere does not end here. */
class LargeGroupTest {
  private static final int MEMBERS = 1000;
  private static final int PARTITIONS = 10_000;

  private final Groups groups = new Groups(GroupLimits.DEFAULTS);
  private final Map<Long, String> tickets = new HashMap<>();
  private final Map<String, List<PartitionId>> lists = new HashMap<>();
  private final Map<String, Long> numbers = new HashMap<>();
  private long nowMs;
  private long ticket;
  private int records;

  @Test
  void thousandMembersShareTenThousandPartitions() {
    groups.opened(
        TopicsView.of(List.of(new TopicView("a", new UUID(0, 1), PARTITIONS, false))), 0, 0);
    for (int i = 0; i < MEMBERS; i++) {
      join("m" + i);
      nowMs++;
      on(new GroupEvent.Tick());
    }
    nowMs += 50;
    on(new GroupEvent.Tick());
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < MEMBERS; i++) {
        beat("m" + i);
      }
    }
    GroupDescription group = groups.describe("g", nowMs).orElseThrow();
    assertEquals(GroupSummary.State.STABLE, group.summary().state());
    assertTrue(group.members().stream().allMatch(view -> view.owned().size() == 10));

    // Nothing to tell: a heartbeat writes nothing and is parked.
    records = 0;
    for (int round = 0; round < 20; round++) {
      nowMs += 100;
      for (int i = 0; i < MEMBERS; i++) {
        beat("m" + i);
      }
    }
    assertEquals(0, records);

    // All of them die at once: one rebalance.
    long generation = group.summary().generation();
    nowMs += 60_000;
    on(new GroupEvent.Tick());
    assertEquals(generation + 1, groups.list().getFirst().generation());
  }

  private void join(String member) {
    tickets.put(++ticket, member);
    on(
        new GroupEvent.Join(
            ticket, ticket, 1, "g", member, "", 30_000, 30_000, "sticky", List.of("a")));
  }

  private void beat(String member) {
    tickets.put(++ticket, member);
    on(
        new GroupEvent.Heartbeat(
            ticket,
            ticket,
            "g",
            member,
            numbers.getOrDefault(member, 0L),
            5000,
            lists.getOrDefault(member, new ArrayList<>())));
  }

  private void on(GroupEvent event) {
    Step step = groups.on(event, nowMs, nowMs);
    records += step.records().size();
    for (Answer answer : step.answers()) {
      String member = Objects.requireNonNull(tickets.remove(answer.ticket()));
      switch (answer.result()) {
        case GroupResult.Joined joined -> told(member, joined.assignment(), joined.partitions());
        case GroupResult.Current current ->
            told(member, current.assignment(), current.partitions());
        case GroupResult.Refused refused -> {} // Its session was over while it was parked.
        default -> throw new AssertionError(answer.toString());
      }
    }
  }

  private void told(String member, long number, List<GrantedPartition> partitions) {
    numbers.put(member, number);
    lists.put(member, partitions.stream().map(GrantedPartition::partition).toList());
  }
}
