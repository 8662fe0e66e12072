package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;
import java.util.UUID;

/** API 2. Which topics there are, and who leads their partitions. */
public final class Metadata {
  public record RequestV0(String topic) {}

  public record ResponseV0(int partitions) {}

  /**
   * @param topics empty means all that are visible
   */
  public record Request(List<String> topics) {}

  public record Response(String clusterId, List<Node> nodes, List<Topic> topics) {}

  public record Node(int node, String host, int port) {}

  /**
   * @param error an {@link ErrorCode}; then id is zero and partitions are empty
   * @param flags see {@link #INTERNAL}
   */
  public record Topic(int error, String topic, UUID id, int flags, List<Partition> partitions) {}

  /**
   * @param epoch the log epoch, 0 if unknown
   */
  public record Partition(int partition, int error, int leader, int epoch) {}

  /** Flag of a topic that belongs to the broker. */
  public static final int INTERNAL = 1;

  public static final Call<RequestV0, ResponseV0> V0 =
      new Call<>(
          Api.METADATA,
          0,
          Messages.of(RequestV0::new, field("topic", Codecs.STR, RequestV0::topic)),
          Messages.of(ResponseV0::new, field("partitions", Codecs.U32, ResponseV0::partitions)));

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.METADATA,
          1,
          Messages.of(Request::new, field("topics", Codecs.list(Codecs.STR), Request::topics)),
          Messages.of(
              Response::new,
              field("clusterId", Codecs.STR, Response::clusterId),
              field(
                  "nodes",
                  Codecs.list(
                      Messages.of(
                          Node::new,
                          field("node", Codecs.U32, Node::node),
                          field("host", Codecs.STR, Node::host),
                          field("port", Codecs.U32, Node::port))),
                  Response::nodes),
              field(
                  "topics",
                  Codecs.list(
                      Messages.of(
                          Topic::new,
                          field("error", Codecs.U16, Topic::error),
                          field("topic", Codecs.STR, Topic::topic),
                          field("id", Codecs.ID, Topic::id),
                          field("flags", Codecs.U8, Topic::flags),
                          field(
                              "partitions",
                              Codecs.list(
                                  Messages.of(
                                      Partition::new,
                                      field("partition", Codecs.U32, Partition::partition),
                                      field("error", Codecs.U16, Partition::error),
                                      field("leader", Codecs.U32, Partition::leader),
                                      field("epoch", Codecs.U32, Partition::epoch))),
                              Topic::partitions))),
                  Response::topics)));

  private Metadata() {}
}
