package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Bytes;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.UUID;

/** API 3. Appends one batch to one partition. */
public final class Produce {
  /**
   * @param count records in {@code records}; unsigned
   * @param records plain entries with any offsets; the broker assigns them
   */
  public record RequestV0(String topic, int partition, int count, Bytes records) {}

  public record ResponseV0(long baseOffset) {}

  /**
   * @param epoch the log epoch the client believes in; 0 = do not check
   * @param durability 0 the topic's policy, 1 written, 2 flushed
   * @param batch one marker and its entries
   */
  public record Request(UUID topic, int partition, int epoch, int durability, Bytes batch) {}

  /**
   * @param durable all below it is on stable storage
   * @param appendTime the broker's clock, ms
   * @param reached 1 written, 2 flushed
   * @param duplicate the batch had been written before, at {@code baseOffset}
   */
  public record Response(
      long baseOffset,
      long durable,
      long logStart,
      long appendTime,
      int epoch,
      int reached,
      boolean duplicate) {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.PRODUCE,
          0,
          Messages.of(
              RequestV0::new,
              field("topic", Codecs.STR, RequestV0::topic),
              field("partition", Codecs.U32, RequestV0::partition),
              field("count", Codecs.U32, RequestV0::count),
              field("records", Codecs.BYTES, RequestV0::records)),
          Messages.of(ResponseV0::new, field("baseOffset", Codecs.U64, ResponseV0::baseOffset)));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.PRODUCE,
          1,
          Messages.of(
              Request::new,
              field("topic", Codecs.ID, Request::topic),
              field("partition", Codecs.U32, Request::partition),
              field("epoch", Codecs.U32, Request::epoch),
              field("durability", Codecs.U8, Request::durability),
              field("batch", Codecs.BYTES, Request::batch)),
          Messages.of(
              Response::new,
              field("baseOffset", Codecs.U64, Response::baseOffset),
              field("durable", Codecs.U64, Response::durable),
              field("logStart", Codecs.U64, Response::logStart),
              field("appendTime", Codecs.I64, Response::appendTime),
              field("epoch", Codecs.U32, Response::epoch),
              field("reached", Codecs.U8, Response::reached),
              field("duplicate", Codecs.BOOL, Response::duplicate)));

  private Produce() {}
}
