package io.minikafka.group;

import java.util.List;

/**
 * A join that was found good and waits for the end of the window. Nothing of it is in the log yet:
 * nobody was told anything.
 *
 * @param member its id, made by the broker if need be
 * @param known it is a member already, and only wants other topics
 * @param topics sorted, each once
 */
record Joining(
    long ticket,
    long connection,
    String member,
    boolean known,
    String instance,
    int sessionMs,
    int rebalanceMs,
    int version,
    String assignor,
    List<String> topics) {

  GroupRecord.Member record(String group) {
    return new GroupRecord.Member(
        new GroupRecord.MemberKey(group, member),
        MemberState.LIVE,
        instance,
        sessionMs,
        rebalanceMs,
        version,
        topics,
        List.of());
  }
}
