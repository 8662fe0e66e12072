package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.ErrorCode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Creates and looks up topics over the data port: what a program needs that has only the client
 * jar. Everything else of topic administration is the control plane's.
 *
 * <p>Any thread. Every call blocks until it is answered, at most {@code requestTimeoutMs} once
 * connected; it throws {@link ServerException} when the server refuses and {@link
 * ConnectionException} when it cannot be reached or does not answer.
 */
public final class Admin implements AutoCloseable {
  private final ClientRuntime runtime;
  private final Link link;

  private Admin(ClientSettings settings) {
    runtime = ClientRuntime.real("minikafka-admin");
    link = new Link(settings, runtime);
  }

  /** Returns at once; the first call connects. */
  public static Admin open(ClientSettings settings) {
    return new Admin(settings);
  }

  /** Who answers, and which version of the protocol it speaks. */
  public ServerDescription server() {
    return Failures.await(link.session()).server();
  }

  /**
   * Creates a topic.
   *
   * @param settings the topic's own, by name; must be empty towards a server that speaks version 0
   */
  public TopicDescription createTopic(String name, int partitions, Map<String, String> settings) {
    return ask(dialect -> dialect.createTopic(name, partitions, false, settings)).description();
  }

  /** As {@link #createTopic}, but the server only checks and creates nothing. */
  public void validateTopic(String name, int partitions, Map<String, String> settings) {
    ask(dialect -> dialect.createTopic(name, partitions, true, settings));
  }

  /** Empty if there is no such topic. */
  public Optional<TopicDescription> topic(String name) {
    try {
      return Optional.of(ask(dialect -> dialect.topic(name)).description());
    } catch (ServerException e) {
      if (e.error() == ErrorCode.UNKNOWN_TOPIC) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * All topics this client may see, by name.
   *
   * @throws UnsupportedByServerException if the server speaks version 0, which cannot list them
   */
  public List<TopicDescription> topics() {
    return ask(Dialect::topics).stream()
        .map(TopicInfo::description)
        .sorted(Comparator.comparing(TopicDescription::name))
        .toList();
  }

  /**
   * What a group has committed of a topic, by partition; those without a commit are missing. A
   * group that is not there has committed nothing.
   *
   * @throws ServerException UNKNOWN_TOPIC if there is no such topic
   */
  public Map<TopicPartition, CommittedOffset> committedOffsets(String group, String topic) {
    TopicInfo info = ask(dialect -> dialect.topic(topic));
    Map<TopicPartition, UUID> partitions = new LinkedHashMap<>();
    for (int i = 0; i < info.partitions(); i++) {
      partitions.put(new TopicPartition(topic, i), info.id());
    }
    return Failures.await(CommittedLookup.ask(link, group, partitions));
  }

  /** Fails what is still waiting. */
  @Override
  public void close() {
    link.close();
    runtime.close();
  }

  private <T> T ask(Function<Dialect, CompletableFuture<T>> question) {
    return Failures.await(link.session().thenCompose(session -> question.apply(session.dialect())));
  }
}
