package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 1. Creates a topic; version 1 with settings, and as a trial. */
public final class CreateTopic {
  /**
   * @param partitions unsigned; 1 … 10,000 are legal
   */
  public record RequestV0(String topic, int partitions) {}

  public record ResponseV0() {}

  /**
   * @param validateOnly answer as if, but create nothing
   * @param settings the topic's own settings; what is not named follows the broker's defaults
   */
  public record Request(
      String topic, int partitions, boolean validateOnly, List<Setting> settings) {}

  public record Setting(String key, String value) {}

  /**
   * @param id all zeros if only validated
   */
  public record Response(UUID id, int partitions) {}

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.CREATE_TOPIC,
          0,
          Messages.of(
              RequestV0::new,
              field("topic", Codecs.STR, RequestV0::topic),
              field("partitions", Codecs.U32, RequestV0::partitions)),
          Codecs.empty(new ResponseV0()));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.CREATE_TOPIC,
          1,
          Messages.of(
              Request::new,
              field("topic", Codecs.STR, Request::topic),
              field("partitions", Codecs.U32, Request::partitions),
              field("validateOnly", Codecs.BOOL, Request::validateOnly),
              field(
                  "settings",
                  Codecs.list(
                      Messages.of(
                          Setting::new,
                          field("key", Codecs.STR, Setting::key),
                          field("value", Codecs.STR, Setting::value))),
                  Request::settings)),
          Messages.of(
              Response::new,
              field("topic", Codecs.ID, Response::id),
              field("partitions", Codecs.U32, Response::partitions)));

  private CreateTopic() {}
}
