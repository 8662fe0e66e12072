package io.minikafka.group;

import java.util.ArrayList;
import java.util.List;

/** One connection between a model member and the broker, with what is on its way. */
final class Wire {
  final long connection;
  final ModelMember member;

  /** In the order sent; they arrive in that order. */
  final List<GroupEvent> requests = new ArrayList<>();

  /** May overtake each other. */
  final List<Answer> answers = new ArrayList<>();

  /** The broker knows that it is closed; the member has left it before. */
  boolean closed;

  Wire(long connection, ModelMember member) {
    this.connection = connection;
    this.member = member;
  }

  static long ticketOf(GroupEvent event) {
    return switch (event) {
      case GroupEvent.Join join -> join.ticket();
      case GroupEvent.Heartbeat beat -> beat.ticket();
      case GroupEvent.Heartbeat0 beat -> beat.ticket();
      case GroupEvent.Leave leave -> leave.ticket();
      case GroupEvent.Commit commit -> commit.ticket();
      case GroupEvent.Commit0 commit -> commit.ticket();
      default -> throw new AssertionError("no request of a member: " + event);
    };
  }

  static GroupResult result(List<Answer> answers, long ticket) {
    return answers.stream()
        .filter(answer -> answer.ticket() == ticket)
        .findFirst()
        .orElseThrow()
        .result();
  }
}
