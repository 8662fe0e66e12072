package io.minikafka.it;

import io.minikafka.it.MemberProcess.Pause;
import io.minikafka.it.MemberProcess.Told;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the members of a group told, put together by the clock they share. Immutable. */
final class GroupHistory {
  private final Map<MemberProcess, List<Told>> byMember;
  private final Map<Long, Integer> deliveries = new HashMap<>();

  /** A commit that was acknowledged to a member. */
  record Commit(String member, int partition, long offset) {}

  private record Line(MemberProcess member, Told told) {}

  private GroupHistory(Map<MemberProcess, List<Told>> byMember) {
    this.byMember = byMember;
    byMember.values().stream().flatMap(List::stream).forEach(this::count);
  }

  static GroupHistory of(List<MemberProcess> members) throws IOException {
    Map<MemberProcess, List<Told>> byMember = new HashMap<>();
    for (MemberProcess member : members) {
      byMember.put(member, member.told());
    }
    return new GroupHistory(byMember);
  }

  /** A record's partition and offset in one number. */
  static long place(int partition, long offset) {
    return offset << 8 | partition;
  }

  private void count(Told told) {
    if (told.word().equals("got")) {
      for (long offset = told.number(1); offset <= told.number(2); offset++) {
        deliveries.merge(place(told.partition(), offset), 1, Integer::sum);
      }
    }
  }

  int delivered() {
    return deliveries.size();
  }

  long duplicates() {
    return deliveries.values().stream().filter(count -> count > 1).count();
  }

  List<String> notDelivered(Set<Long> acknowledged) {
    return acknowledged.stream()
        .filter(place -> !deliveries.containsKey(place))
        .sorted()
        .map(place -> (place & 0xff) + "@" + (place >> 8))
        .toList();
  }

  List<Commit> commits() {
    List<Commit> commits = new ArrayList<>();
    byMember.forEach(
        (member, lines) ->
            lines.stream()
                .filter(told -> told.word().equals("committed"))
                .map(told -> new Commit(member.name(), told.partition(), told.number(1)))
                .forEach(commits::add));
    return commits;
  }

  /**
   * Records that somebody got while the last to be assigned their partition was another: the client
   * tells of a revocation before it lets go, so this holds by the order of the lines. What a member
   * had in its hands when it was stopped is looked at by {@link #deliveriesAfterAPause}.
   */
  List<String> deliveriesByOthersThanTheOwner() {
    List<Line> lines = new ArrayList<>();
    byMember.forEach((member, told) -> told.forEach(line -> lines.add(new Line(member, line))));
    lines.sort(Comparator.comparingLong(line -> line.told.nanos()));
    Map<Integer, MemberProcess> owners = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (Line line : lines) {
      Told told = line.told;
      if (told.word().equals("assigned")) {
        told.partitions().forEach(partition -> owners.put(partition, line.member));
      } else if (told.word().equals("got") && !inHand(line)) {
        MemberProcess owner = owners.get(told.partition());
        if (owner != line.member) {
          String name = owner == null ? "nobody" : owner.name();
          wrong.add(
              "%s got %s of %s's at %d"
                  .formatted(line.member.name(), told.rest(), name, told.nanos()));
        }
      }
    }
    return wrong;
  }

  /** Whether it was told after a pause and belongs to the poll that had returned before it. */
  private boolean inHand(Line line) {
    return line.member.pauses().stream()
        .anyMatch(
            pause ->
                line.told.nanos() >= pause.fromNs()
                    && firstPoll(line.member, pause).contains(line.told));
  }

  /** What was told of the first poll after a pause, up to its end or a loss. */
  private Set<Told> firstPoll(MemberProcess member, Pause pause) {
    Set<Told> first = new HashSet<>();
    for (Told told : byMember.getOrDefault(member, List.of())) {
      if (told.nanos() < pause.fromNs()) {
        continue;
      }
      if (told.word().equals("got")) {
        first.add(told);
      } else {
        break;
      }
    }
    return first;
  }

  /**
   * Members that got more than what one poll had returned, after a pause beyond their session and
   * before they lost what they had.
   */
  List<String> deliveriesAfterAPause(int sessionMs) {
    List<String> wrong = new ArrayList<>();
    byMember.forEach(
        (member, lines) ->
            member.pauses().stream()
                .filter(pause -> pause.isLongerThan(sessionMs))
                .forEach(pause -> wrong.addAll(deliveries(member, lines, pause))));
    return wrong;
  }

  private static List<String> deliveries(MemberProcess member, List<Told> lines, Pause pause) {
    List<String> wrong = new ArrayList<>();
    int polls = 0;
    for (Told told : lines) {
      if (told.nanos() < pause.toNs()) {
        continue;
      }
      if (told.word().equals("lost") || told.word().equals("assigned")) {
        break;
      }
      if (told.word().equals("got") && polls > 0) {
        wrong.add("%s got %s after its session".formatted(member.name(), told.rest()));
      }
      if (told.word().equals("polled") || told.word().equals("refused")) {
        polls++;
      }
    }
    return wrong;
  }

  /** Pauses longer than the session after which the member did not tell that it lost everything. */
  List<String> pausesThatWentUnnoticed(int sessionMs) {
    List<String> wrong = new ArrayList<>();
    byMember.forEach(
        (member, lines) -> {
          for (Pause pause : member.pauses()) {
            boolean tooLong = pause.isLongerThan(sessionMs);
            boolean had = owns(lines, pause.fromNs());
            boolean noticed =
                lines.stream()
                    .anyMatch(told -> told.nanos() > pause.toNs() && told.word().equals("lost"));
            if (tooLong && had && !noticed && member.killedNs() == Long.MAX_VALUE) {
              wrong.add(member.name() + " was stopped too long and lost nothing");
            }
          }
        });
    return wrong;
  }

  private static boolean owns(List<Told> lines, long atNs) {
    Set<Integer> owned = new HashSet<>();
    for (Told told : lines) {
      if (told.nanos() > atNs) {
        break;
      }
      switch (told.word()) {
        case "assigned" -> owned.addAll(told.partitions());
        case "revoked", "lost" -> told.partitions().forEach(owned::remove);
        default -> {}
      }
    }
    return !owned.isEmpty();
  }
}
