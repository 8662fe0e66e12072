package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Blob;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 4. Reads from many partitions at once, and waits if there is nothing yet. */
public final class Fetch {
  /**
   * @param maxWaitMs how long to wait for a record; unsigned
   */
  public record RequestV0(int maxWaitMs, List<PartitionV0> partitions) {}

  public record PartitionV0(String topic, int partition, long offset, int maxBytes) {}

  public record ResponseV0(List<AnswerV0> answers) {}

  /**
   * @param error an {@link ErrorCode}
   * @param logEnd the high watermark
   * @param records plain entries only
   */
  public record AnswerV0(
      String topic, int partition, int error, long logEnd, long logStart, Blob records) {}

  /**
   * @param minBytes answer when so many bytes are there; 0 = at once
   * @param maxBytes of all entries together
   * @param kinds bit mask of the entry kinds the client reads, bit n for kind n; others are
   *     expanded
   */
  public record Request(
      int maxWaitMs, int minBytes, int maxBytes, int kinds, List<Partition> partitions) {}

  /**
   * @param lastEpoch the log epoch of the last batch read; 0 none
   */
  public record Partition(UUID topic, int partition, long offset, int lastEpoch, int maxBytes) {}

  public record Response(List<Answer> answers) {}

  /**
   * @param from with DAMAGED_RANGE its first offset, with LOG_TRUNCATED the epoch, else 0
   * @param to with DAMAGED_RANGE the first good offset behind it, with LOG_TRUNCATED that epoch's
   *     end, else 0
   */
  public record Answer(
      UUID topic,
      int partition,
      int error,
      long highWatermark,
      long logStart,
      int epoch,
      long from,
      long to,
      Blob entries) {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.FETCH,
          0,
          Messages.of(
              RequestV0::new,
              field("maxWaitMs", Codecs.U32, RequestV0::maxWaitMs),
              field(
                  "partitions",
                  Codecs.list(
                      Messages.of(
                          PartitionV0::new,
                          field("topic", Codecs.STR, PartitionV0::topic),
                          field("partition", Codecs.U32, PartitionV0::partition),
                          field("offset", Codecs.U64, PartitionV0::offset),
                          field("maxBytes", Codecs.U32, PartitionV0::maxBytes))),
                  RequestV0::partitions)),
          Messages.of(
              ResponseV0::new,
              field(
                  "answers",
                  Codecs.list(
                      Messages.of(
                          AnswerV0::new,
                          field("topic", Codecs.STR, AnswerV0::topic),
                          field("partition", Codecs.U32, AnswerV0::partition),
                          field("error", Codecs.U16, AnswerV0::error),
                          field("logEnd", Codecs.U64, AnswerV0::logEnd),
                          field("logStart", Codecs.U64, AnswerV0::logStart),
                          field("records", Codecs.BLOB, AnswerV0::records))),
                  ResponseV0::answers)));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.FETCH,
          1,
          Messages.of(
              Request::new,
              field("maxWaitMs", Codecs.U32, Request::maxWaitMs),
              field("minBytes", Codecs.U32, Request::minBytes),
              field("maxBytes", Codecs.U32, Request::maxBytes),
              field("kinds", Codecs.U32, Request::kinds),
              field(
                  "partitions",
                  Codecs.list(
                      Messages.of(
                          Partition::new,
                          field("topic", Codecs.ID, Partition::topic),
                          field("partition", Codecs.U32, Partition::partition),
                          field("offset", Codecs.U64, Partition::offset),
                          field("lastEpoch", Codecs.U32, Partition::lastEpoch),
                          field("maxBytes", Codecs.U32, Partition::maxBytes))),
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
                          field("error", Codecs.U16, Answer::error),
                          field("highWatermark", Codecs.U64, Answer::highWatermark),
                          field("logStart", Codecs.U64, Answer::logStart),
                          field("epoch", Codecs.U32, Answer::epoch),
                          field("from", Codecs.U64, Answer::from),
                          field("to", Codecs.U64, Answer::to),
                          field("entries", Codecs.BLOB, Answer::entries))),
                  Response::answers)));

  private Fetch() {}
}
