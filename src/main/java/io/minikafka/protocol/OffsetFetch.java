package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.PartitionId;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 7. How far a group has read, as far as that is on stable storage. */
public final class OffsetFetch {
  public record RequestV0(String group, String topic, int partition) {}

  /**
   * @param offset the next to read; 0 if there is none
   */
  public record ResponseV0(boolean found, long offset) {}

  /**
   * @param partitions empty asks for all that the group has committed
   */
  public record Request(String group, List<PartitionId> partitions) {}

  public record Response(List<Answer> answers) {}

  /**
   * @param found if not, all that follows is zero or empty
   * @param offset the next to read
   * @param epoch the log epoch that was committed with it; 0 if unknown
   * @param commitTime the broker's clock, ms
   */
  public record Answer(
      UUID topic,
      int partition,
      boolean found,
      long offset,
      int epoch,
      long commitTime,
      String metadata) {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.OFFSET_FETCH,
          0,
          Messages.of(
              RequestV0::new,
              field("group", Codecs.STR, RequestV0::group),
              field("topic", Codecs.STR, RequestV0::topic),
              field("partition", Codecs.U32, RequestV0::partition)),
          Messages.of(
              ResponseV0::new,
              field("found", Codecs.BOOL, ResponseV0::found),
              field("offset", Codecs.U64, ResponseV0::offset)));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.OFFSET_FETCH,
          1,
          Messages.of(
              Request::new,
              field("group", Codecs.STR, Request::group),
              field("partitions", Codecs.list(PartitionNames.ID), Request::partitions)),
          Messages.of(
              Response::new,
              field(
                  "answers",
                  Codecs.list(
                      Messages.of(
                          Answer::new,
                          field("topic", Codecs.ID, Answer::topic),
                          field("partition", Codecs.U32, Answer::partition),
                          field("found", Codecs.BOOL, Answer::found),
                          field("offset", Codecs.U64, Answer::offset),
                          field("epoch", Codecs.U32, Answer::epoch),
                          field("commitTime", Codecs.I64, Answer::commitTime),
                          field("metadata", Codecs.STR, Answer::metadata))),
                  Response::answers)));

  private OffsetFetch() {}
}
