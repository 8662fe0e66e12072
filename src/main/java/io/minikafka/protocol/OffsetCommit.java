package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 6. Stores how far a group has read. From version 1 on all of a request is stored or none. */
public final class OffsetCommit {
  /**
   * @param generation of the member's last join answer
   * @param offset the next to read
   */
  public record RequestV0(
      String group, String member, int generation, String topic, int partition, long offset) {}

  public record ResponseV0() {}

  /**
   * @param member empty for a commit from outside the group, which its members must not be there
   *     for
   */
  public record Request(String group, String member, List<Partition> partitions) {}

  /**
   * @param grant under which the member owns the partition; 0 without a member
   * @param offset the next to read
   * @param epoch the log epoch of the last record read; 0 if unknown
   * @param metadata anything, for people
   */
  public record Partition(
      UUID topic, int partition, long grant, long offset, int epoch, String metadata) {}

  /**
   * @param answers in the order of the request; if one has an error nothing was stored
   */
  public record Response(List<Answer> answers) {}

  /**
   * @param error an {@link ErrorCode}
   */
  public record Answer(UUID topic, int partition, int error) {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.OFFSET_COMMIT,
          0,
          Messages.of(
              RequestV0::new,
              field("group", Codecs.STR, RequestV0::group),
              field("member", Codecs.STR, RequestV0::member),
              field("generation", Codecs.U32, RequestV0::generation),
              field("topic", Codecs.STR, RequestV0::topic),
              field("partition", Codecs.U32, RequestV0::partition),
              field("offset", Codecs.U64, RequestV0::offset)),
          Codecs.empty(new ResponseV0()));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.OFFSET_COMMIT,
          1,
          Messages.of(
              Request::new,
              field("group", Codecs.STR, Request::group),
              field("member", Codecs.STR, Request::member),
              field(
                  "partitions",
                  Codecs.list(
                      Messages.of(
                          Partition::new,
                          field("topic", Codecs.ID, Partition::topic),
                          field("partition", Codecs.U32, Partition::partition),
                          field("grant", Codecs.U64, Partition::grant),
                          field("offset", Codecs.U64, Partition::offset),
                          field("epoch", Codecs.U32, Partition::epoch),
                          field("metadata", Codecs.STR, Partition::metadata))),
                  Request::partitions)),
          Messages.of(
              Response::new,
              field(
                  "answers",
                  Codecs.list(
                      Messages.of(
                          Answer::new,
                          field("topic", Codecs.ID, Answer::topic),
                          field("partition", Codecs.U32, Answer::partition),
                          field("error", Codecs.U16, Answer::error))),
                  Response::answers)));

  private OffsetCommit() {}
}
