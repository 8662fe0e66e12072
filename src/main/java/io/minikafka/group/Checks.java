package io.minikafka.group;

import io.minikafka.Counted;
import io.minikafka.Names;
import io.minikafka.group.GroupResult.Refused;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether what a request says is within bounds, and of whom it speaks. */
final class Checks {
  /** A message names no more members, and of each id no more characters. */
  private static final int NAMED_MEMBERS = 5;

  private static final int NAMED_CHARS = 64;

  private Checks() {}

  /**
   * Refuses a group's, member's or instance's name that is too long, or empty where it must not.
   */
  static Optional<Refused> name(String field, String name, boolean mayBeEmpty, GroupLimits limits) {
    if (name.isEmpty()) {
      return mayBeEmpty ? Optional.empty() : invalid("%s is empty".formatted(field));
    }
    if (name.length() > limits.maxNameLength()) {
      return invalid(
          "%s has %d characters; the limit is %d"
              .formatted(field, name.length(), limits.maxNameLength()));
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        return invalid("%s has a control character at index %d".formatted(field, i));
      }
    }
    return Optional.empty();
  }

  static Optional<Refused> duration(String field, long ms, GroupLimits limits) {
    if (ms < limits.minSessionMs() || ms > limits.maxSessionMs()) {
      return invalid(
          "%s %d is outside %d … %d"
              .formatted(field, ms, limits.minSessionMs(), limits.maxSessionMs()));
    }
    return Optional.empty();
  }

  static Optional<Refused> topics(List<String> topics, GroupLimits limits) {
    if (topics.size() > limits.maxTopics()) {
      return Optional.of(
          new Refused(
              GroupError.LIMIT_REACHED,
              "topics has %d names; the limit is %d".formatted(topics.size(), limits.maxTopics())));
    }
    return topics.stream()
        .map(Names::topicNameError)
        .flatMap(Optional::stream)
        .findFirst()
        .flatMap(error -> invalid("topics: " + error));
  }

  static Optional<Refused> assignor(String title) {
    return title.isEmpty() || Assignor.titled(title).isPresent()
        ? Optional.empty()
        : invalid("assignor '%s' is unknown; there are %s".formatted(title, Assignor.titles()));
  }

  static Optional<Refused> metadata(String metadata, GroupLimits limits) {
    // No text is shorter in UTF-8 than in characters.
    int bytes =
        metadata.length() > limits.maxMetadataBytes()
            ? metadata.length()
            : metadata.getBytes(StandardCharsets.UTF_8).length;
    return bytes <= limits.maxMetadataBytes()
        ? Optional.empty()
        : invalid(
            "metadata has at least %d bytes; the limit is %d"
                .formatted(bytes, limits.maxMetadataBytes()));
  }

  /** Refuses one more group than there may be. */
  static Optional<Refused> room(GroupTable table, String group) {
    int limit = table.limits.maxGroups();
    return table.group(group).isPresent() || table.groups.size() < limit
        ? Optional.empty()
        : Optional.of(
            new Refused(GroupError.LIMIT_REACHED, "groups: the limit is %d".formatted(limit)));
  }

  /** The group of that name; if there is none, the request has been answered. */
  static Optional<Group> known(Turn turn, long ticket, String name) {
    Optional<Group> group = turn.table.group(name);
    group.ifPresentOrElse(
        turn::begin,
        () ->
            turn.refuse(
                ticket, GroupError.UNKNOWN_GROUP, "there is no group '%s'".formatted(name)));
    return group;
  }

  /** Whether somebody is in the group, waits to be, or was and still owns something. */
  static boolean isInUse(Group group) {
    return !group.members.isEmpty() || !group.joining.isEmpty();
  }

  /** Refuses a group that is in use, and says who uses it. */
  static Optional<Refused> unused(Group group) {
    if (!isInUse(group)) {
      return Optional.empty();
    }
    Set<String> ids = new TreeSet<>(group.members.keySet());
    ids.addAll(group.joining.keySet());
    String named =
        ids.stream()
            .limit(NAMED_MEMBERS)
            .map(id -> id.substring(0, Math.min(id.length(), NAMED_CHARS)))
            .collect(Collectors.joining(", "));
    return Optional.of(
        new Refused(
            GroupError.GROUP_IN_USE,
            "group %s has %s: %s%s"
                .formatted(
                    group.name,
                    Counted.of(ids.size(), "member"),
                    named,
                    ids.size() > NAMED_MEMBERS
                        ? " and %d more".formatted(ids.size() - NAMED_MEMBERS)
                        : "")));
  }

  /** Answers the request if there is something against it. */
  static boolean refused(Turn turn, long ticket, Optional<Refused> refusal) {
    refusal.ifPresent(reason -> turn.answer(ticket, reason));
    return refusal.isPresent();
  }

  /** The live member the request comes from; if there is none, the request has been answered. */
  static Optional<Member> live(Turn turn, long ticket, String group, String id, int version) {
    Optional<Member> member = turn.table.group(group).flatMap(found -> found.member(id));
    if (member.isPresent() && member.get().isGone()) {
      turn.answer(ticket, whyGone(member.get()));
      return Optional.empty();
    }
    if (member.isEmpty() || !member.get().isLive() || member.get().saved.version() != version) {
      turn.answer(ticket, unknown(group, id));
      return Optional.empty();
    }
    return member;
  }

  static Refused unknown(String group, String id) {
    return new Refused(
        GroupError.UNKNOWN_MEMBER, "group %s has no member '%s'".formatted(group, id));
  }

  /** What somebody hears who is a member no more, though its session may still run. */
  static Refused whyGone(Member gone) {
    String instance = gone.saved.instance();
    if (!instance.isEmpty() && gone.group.seatOf(instance).isPresent()) {
      return new Refused(
          GroupError.FENCED_INSTANCE,
          "another process took the place of instance '%s'".formatted(instance));
    }
    return new Refused(
        GroupError.UNKNOWN_MEMBER,
        "member '%s' was expelled from group %s: join under a new id"
            .formatted(gone.id(), gone.group.name));
  }

  private static Optional<Refused> invalid(String message) {
    return Optional.of(new Refused(GroupError.INVALID_REQUEST, message));
  }
}
