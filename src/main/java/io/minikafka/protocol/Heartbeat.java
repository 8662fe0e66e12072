package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.PartitionId;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;

/**
 * API 9. A sign of life. From version 1 on it also says what the member has, learns what it is to
 * have, and may wait for that to change.
 */
public final class Heartbeat {
  /**
   * @param generation of the member's last join answer
   */
  public record RequestV0(String group, String member, int generation) {}

  public record ResponseV0() {}

  /**
   * @param assignment number of the last list the member has taken up
   * @param maxWaitMs how long to wait for another list; unsigned
   * @param owned what the member has now; what is missing it has let go
   */
  public record Request(
      String group, String member, long assignment, int maxWaitMs, List<PartitionId> owned) {}

  /**
   * @param assignment number of this list
   * @param pending more partitions will come, as soon as others have let them go
   * @param owned the whole list; what the member has besides it must be let go
   */
  public record Response(
      long generation, long assignment, boolean pending, List<JoinGroup.Granted> owned) {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.HEARTBEAT,
          0,
          Messages.of(
              RequestV0::new,
              field("group", Codecs.STR, RequestV0::group),
              field("member", Codecs.STR, RequestV0::member),
              field("generation", Codecs.U32, RequestV0::generation)),
          Codecs.empty(new ResponseV0()));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.HEARTBEAT,
          1,
          Messages.of(
              Request::new,
              field("group", Codecs.STR, Request::group),
              field("member", Codecs.STR, Request::member),
              field("assignment", Codecs.U64, Request::assignment),
              field("maxWaitMs", Codecs.U32, Request::maxWaitMs),
              field("owned", Codecs.list(PartitionNames.ID), Request::owned)),
          Messages.of(
              Response::new,
              field("generation", Codecs.U64, Response::generation),
              field("assignment", Codecs.U64, Response::assignment),
              field("pending", Codecs.BOOL, Response::pending),
              field("owned", Codecs.list(JoinGroup.Granted.CODEC), Response::owned)));

  private Heartbeat() {}
}
