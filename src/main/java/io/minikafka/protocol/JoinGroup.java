package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.TopicPartition;
import io.minikafka.codec.Codec;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 8. Makes a member of a group, or tells of a change of what it subscribes to. */
public final class JoinGroup {
  /**
   * @param member empty for a new one, which is then given its id
   * @param sessionMs without a sign of life for so long the member is given up; unsigned
   */
  public record RequestV0(String group, String member, int sessionMs, List<String> topics) {}

  /**
   * @param generation the low 32 bits of it
   * @param partitions what the member owns from now on
   */
  public record ResponseV0(String member, int generation, List<TopicPartition> partitions) {}

  /**
   * @param member made by the client: a UUID
   * @param instance of a static member, the same in each of its lives; empty for a dynamic one
   * @param sessionMs without a sign of life for so long the member is given up; unsigned
   * @param rebalanceMs how long the member may take to let go of what it is asked for; unsigned
   * @param assignor empty for the one the group has
   */
  public record Request(
      String group,
      String member,
      String instance,
      int sessionMs,
      int rebalanceMs,
      String assignor,
      List<String> topics) {}

  /**
   * @param assignment number of this list; the member names it in its heartbeats
   * @param pending more partitions will come, as soon as others have let them go
   * @param maxHeartbeatWaitMs longest wait that a heartbeat of this member may ask for
   * @param owned the whole list
   */
  public record Response(
      long generation,
      long assignment,
      boolean pending,
      int maxHeartbeatWaitMs,
      List<Granted> owned) {}

  /**
   * A partition a member owns.
   *
   * @param grant to be named in commits; another member, or a later time, has another
   */
  public record Granted(UUID topic, int partition, long grant) {
    static final Codec<Granted> CODEC =
        Messages.of(
            Granted::new,
            field("topic", Codecs.ID, Granted::topic),
            field("partition", Codecs.U32, Granted::partition),
            field("grant", Codecs.U64, Granted::grant));
  }

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.JOIN_GROUP,
          0,
          Messages.of(
              RequestV0::new,
              field("group", Codecs.STR, RequestV0::group),
              field("member", Codecs.STR, RequestV0::member),
              field("sessionMs", Codecs.U32, RequestV0::sessionMs),
              field("topics", Codecs.list(Codecs.STR), RequestV0::topics)),
          Messages.of(
              ResponseV0::new,
              field("member", Codecs.STR, ResponseV0::member),
              field("generation", Codecs.U32, ResponseV0::generation),
              field("partitions", Codecs.list(PartitionNames.NAME), ResponseV0::partitions)));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.JOIN_GROUP,
          1,
          Messages.of(
              Request::new,
              field("group", Codecs.STR, Request::group),
              field("member", Codecs.STR, Request::member),
              field("instance", Codecs.STR, Request::instance),
              field("sessionMs", Codecs.U32, Request::sessionMs),
              field("rebalanceMs", Codecs.U32, Request::rebalanceMs),
              field("assignor", Codecs.STR, Request::assignor),
              field("topics", Codecs.list(Codecs.STR), Request::topics)),
          Messages.of(
              Response::new,
              field("generation", Codecs.U64, Response::generation),
              field("assignment", Codecs.U64, Response::assignment),
              field("pending", Codecs.BOOL, Response::pending),
              field("maxHeartbeatWaitMs", Codecs.U32, Response::maxHeartbeatWaitMs),
              field("owned", Codecs.list(Granted.CODEC), Response::owned)));

  private JoinGroup() {}
}
