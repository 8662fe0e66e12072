package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 5. Where a partition begins and ends, and which offset a time has. */
public final class ListOffsets {
  public record RequestV0(String topic, int partition) {}

  /**
   * @param logEnd the high watermark
   */
  public record ResponseV0(long logStart, long logEnd) {}

  public record Request(List<Query> queries) {}

  /**
   * @param query {@link #START}, {@link #HIGH_WATERMARK}, {@link #LATEST_TIMESTAMP}, or a time in
   *     ms (0 or more): the first record that is not older
   */
  public record Query(UUID topic, int partition, long query) {}

  public record Response(List<Answer> answers) {}

  /**
   * @param offset −1 if there is no such record
   * @param timestamp of that record, ms; −1 for start and high watermark
   */
  public record Answer(
      UUID topic,
      int partition,
      int error,
      long logStart,
      long highWatermark,
      long offset,
      long timestamp,
      int epoch) {}

  public static final long HIGH_WATERMARK = -1;
  public static final long START = -2;

  /** The record of the largest timestamp. */
  public static final long LATEST_TIMESTAMP = -3;

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.LIST_OFFSETS,
          0,
          Messages.of(
              RequestV0::new,
              field("topic", Codecs.STR, RequestV0::topic),
              field("partition", Codecs.U32, RequestV0::partition)),
          Messages.of(
              ResponseV0::new,
              field("logStart", Codecs.U64, ResponseV0::logStart),
              field("logEnd", Codecs.U64, ResponseV0::logEnd)));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.LIST_OFFSETS,
          1,
          Messages.of(
              Request::new,
              field(
                  "queries",
                  Codecs.list(
                      Messages.of(
                          Query::new,
                          field("topic", Codecs.ID, Query::topic),
                          field("partition", Codecs.U32, Query::partition),
                          field("query", Codecs.I64, Query::query))),
                  Request::queries)),
          Messages.of(
              Response::new,
              field(
                  "answers",
                  Codecs.list(
                      Messages.of(
                          Answer::new,
                          field("topic", Codecs.ID, Answer::topic),
                          field("partition", Codecs.U32, Answer::partition),
                          field("error", Codecs.U16, Answer::error),
                          field("logStart", Codecs.U64, Answer::logStart),
                          field("highWatermark", Codecs.U64, Answer::highWatermark),
                          field("offset", Codecs.I64, Answer::offset),
                          field("timestamp", Codecs.I64, Answer::timestamp),
                          field("epoch", Codecs.U32, Answer::epoch))),
                  Response::answers)));

  private ListOffsets() {}
}
