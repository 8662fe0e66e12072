package io.minikafka.topic;

import io.minikafka.Names;
import java.util.UUID;

/**
 * A topic as the catalog keeps it.
 *
 * @param name unique among the topics that exist
 * @param id unique for ever
 * @param partitions 1 … {@link Names#MAX_PARTITIONS}
 * @param own what it was told itself; the rest follows the broker's defaults
 */
public record TopicEntry(String name, UUID id, int partitions, TopicSettings own) {
  /** Whether it belongs to the broker: clients neither write, change nor delete it. */
  public boolean isInternal() {
    return Names.isInternal(name);
  }
}
