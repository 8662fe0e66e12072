package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;

/** API 10. A member says goodbye: what it owned may be given to others at once. */
public final class LeaveGroup {
  public record RequestV0(String group, String member) {}

  public record ResponseV0() {}

  /**
   * @param keepSeat a static member will be back: its partitions wait for it until its session ends
   */
  public record Request(String group, String member, boolean keepSeat) {}

  public record Response() {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.LEAVE_GROUP,
          0,
          Messages.of(
              RequestV0::new,
              field("group", Codecs.STR, RequestV0::group),
              field("member", Codecs.STR, RequestV0::member)),
          Codecs.empty(new ResponseV0()));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.LEAVE_GROUP,
          1,
          Messages.of(
              Request::new,
              field("group", Codecs.STR, Request::group),
              field("member", Codecs.STR, Request::member),
              field("keepSeat", Codecs.BOOL, Request::keepSeat)),
          Codecs.empty(new Response()));

  private LeaveGroup() {}
}
