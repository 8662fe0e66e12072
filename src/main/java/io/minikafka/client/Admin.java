package io.minikafka.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates and looks up topics over the data port: what a program needs that has only the client
 * jar. Everything else of topic administration is the control plane's.
 *
 * <p>Any thread. Every call blocks until it is answered, at most {@code requestTimeoutMs} once
 * connected; it throws {@link ServerException} when the server refuses and {@link
 * ConnectionException} when it cannot be reached or does not answer.
 */
public final class Admin implements AutoCloseable {
  private Admin() {}

  /** Returns at once; the first call connects. */
  public static Admin open(ClientSettings settings) {
    throw new UnsupportedOperationException();
  }

  /** Who answers, and which version of the protocol it speaks. */
  public ServerDescription server() {
    throw new UnsupportedOperationException();
  }

  /**
   * Creates a topic.
   *
   * @param settings the topic's own, by name; must be empty towards a server that speaks version 0
   */
  public TopicDescription createTopic(String name, int partitions, Map<String, String> settings) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #createTopic}, but the server only checks and creates nothing. */
  public void validateTopic(String name, int partitions, Map<String, String> settings) {
    throw new UnsupportedOperationException();
  }

  /** Empty if there is no such topic. */
  public Optional<TopicDescription> topic(String name) {
    throw new UnsupportedOperationException();
  }

  /**
   * All topics this client may see, by name.
   *
   * @throws UnsupportedByServerException if the server speaks version 0, which cannot list them
   */
  public List<TopicDescription> topics() {
    throw new UnsupportedOperationException();
  }

  /** Fails what is still waiting. */
  @Override
  public void close() {}
}
