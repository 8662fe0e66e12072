package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Asks what a group has committed. Any thread; nothing blocks. */
final class CommittedLookup {
  /** Over so many lost connections. */
  private static final int TRIES = 3;

  private CommittedLookup() {}

  /**
   * @param partitions with their topics' ids
   */
  static CompletableFuture<Map<TopicPartition, CommittedOffset>> ask(
      Link link, String group, Map<TopicPartition, UUID> partitions) {
    return ask(link, group, partitions, TRIES);
  }

  private static CompletableFuture<Map<TopicPartition, CommittedOffset>> ask(
      Link link, String group, Map<TopicPartition, UUID> partitions, int tries) {
    return link.session()
        .thenCompose(
            session ->
                session
                    .dialect()
                    .groups()
                    .committed(group, partitions)
                    .exceptionallyCompose(
                        thrown ->
                            Failures.of(thrown) instanceof ConnectionException && tries > 1
                                ? ask(link, group, partitions, tries - 1)
                                : CompletableFuture.failedFuture(thrown)));
  }
}
