package io.minikafka.bench;

import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.TopicDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The topics of a run: a fresh one for each point, deleted behind it. One thread.
 *
 * <p>A topic that is written keeps little, so that a broker that cannot be told to delete it does
 * not fill its disk.
 */
final class Topics {
  private static final long KEPT_BYTES = 1L << 30;

  private final Target target;
  private final ClientSettings client;
  private final String prefix;
  private int made;

  /**
   * @param prefix no other run on this broker has it
   */
  Topics(Target target, ClientSettings client, String prefix) {
    this.target = target;
    this.client = client;
    this.prefix = prefix;
  }

  /** One lane for each partition. */
  List<Lane> create(int partitions, Policy policy) throws IOException {
    made++;
    String name = "%s-%d".formatted(prefix, made);
    TopicDescription topic;
    try (Admin admin = Admin.open(client)) {
      topic =
          admin.createTopic(
              name,
              partitions,
              Map.of("flush.policy", policy.title(), "retention.bytes", "" + KEPT_BYTES));
    }
    UUID id =
        topic
            .id()
            .orElseThrow(
                () -> new IOException("the broker speaks version 0 only, without topic ids"));
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      lanes.add(new Lane(name, id, i));
    }
    return lanes;
  }

  void remove(List<Lane> lanes) throws IOException {
    target.remove(lanes.getFirst().topic());
  }
}
