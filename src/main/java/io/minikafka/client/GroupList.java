package io.minikafka.client;

import java.util.List;
import java.util.UUID;

/**
 * What the coordinator answers a member: all that is its own.
 *
 * @param member its id
 * @param assignment number of this list; 0 in version 0
 * @param maxWaitMs longest wait a heartbeat may ask for; 0 if not said
 */
record GroupList(
    String member,
    long generation,
    long assignment,
    boolean pending,
    int maxWaitMs,
    List<Granted> granted) {

  /**
   * @param topic name; empty in version 1, which has ids
   * @param topicId all zeros in version 0
   */
  record Granted(String topic, UUID topicId, int partition, long grant) {}
}
