package io.minikafka.broker;

import io.minikafka.TopicPartition;
import io.minikafka.group.GroupDescription.MemberView;
import java.util.List;
import java.util.OptionalLong;

/**
 * A member of a group, as people see it.
 *
 * @param view what the rules say of it
 * @param clientId what its client calls itself; empty if it did not say, or that is not known
 * @param host where its last request came from; empty if that is not known
 * @param owned by topic and number
 * @param pending what is meant for it and still with others; by topic and number
 */
public record MemberDescription(
    MemberView view,
    String clientId,
    String host,
    List<Owned> owned,
    List<TopicPartition> pending) {

  /**
   * A partition that it owns.
   *
   * @param grant the generation in which it was granted
   * @param letGoInMs until when it must have let go; empty unless it was asked to
   */
  public record Owned(TopicPartition partition, long grant, OptionalLong letGoInMs) {}
}
