package io.minikafka.group;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The work on one event: what it writes, answers and tells, and at which time it happens.
 *
 * <p>The rules write a record to change persistent state; nothing else changes it.
 */
final class Turn {
  final GroupTable table;
  final long nowMs;
  final long wallMs;

  /** Groups whose loose ends are tied up when the event was dealt with. */
  private final Set<Group> begun = new LinkedHashSet<>();

  /** The newest of each key, in the order in which they became what they are. */
  private final Map<GroupRecord.Key, GroupRecord> records = new LinkedHashMap<>();

  private final List<Answer> answers = new ArrayList<>();
  private final List<GroupNews> news = new ArrayList<>();

  Turn(GroupTable table, long nowMs, long wallMs) {
    this.table = table;
    this.nowMs = nowMs;
    this.wallMs = wallMs;
  }

  /** {@code group} is looked at again at the end. */
  Group begin(Group group) {
    begun.add(group);
    return group;
  }

  Set<Group> begun() {
    return begun;
  }

  void write(GroupRecord record) {
    table.apply(record);
    records.remove(record.key());
    records.put(record.key(), record);
  }

  void answer(long ticket, GroupResult result) {
    answers.add(new Answer(ticket, result));
  }

  void refuse(long ticket, GroupError error, String message) {
    answer(ticket, new GroupResult.Refused(error, message));
  }

  void tell(GroupNews what) {
    news.add(what);
  }

  Step done() {
    return new Step(
        List.copyOf(records.values()),
        List.copyOf(answers),
        List.copyOf(news),
        table.deadlines.nextMs());
  }
}
