package io.minikafka.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;

/** Apache Kafka, with its Java clients. */
final class KafkaSide implements Side {
  private static final int BATCH_BYTES = 1 << 20;
  private static final int IN_FLIGHT = 5;

  private final KafkaNode node;
  private final KafkaClients clients;
  private final List<String> made = new ArrayList<>();
  private int count;

  private KafkaSide(KafkaNode node) {
    this.node = node;
    this.clients = new KafkaClients(node.bootstrap());
  }

  static KafkaSide start(Path parent, Path log) throws IOException, InterruptedException {
    return new KafkaSide(KafkaNode.start(parent, log));
  }

  @Override
  public String system() {
    return "kafka";
  }

  @Override
  public Crew producers(Point.Produce point, Effort effort)
      throws IOException, InterruptedException {
    String topic = create(point.partitions(), point.policy());
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < point.producers(); i++) {
      loads.add(new KafkaProduce(clients, topic, i % point.partitions(), point.shape()));
    }
    return new Crew(loads, effort.patienceNanos());
  }

  @Override
  public Crew consumers(Point.Consume point, Effort effort)
      throws IOException, InterruptedException {
    String topic = create(1, Policy.NONE);
    long entryBytes = RecordValues.entryBytes(point.recordBytes());
    ProduceShape shape =
        new ProduceShape(
            point.recordBytes(), Math.clamp(BATCH_BYTES / entryBytes, 1, 10_000), IN_FLIGHT);
    long end;
    try (KafkaProduce filling = new KafkaProduce(clients, topic, 0, shape)) {
      long bytes = effort.perRep().wireBytes() / Comparison.PARTS_OF_A_REPETITION;
      end = filling.run(new Limit(Long.MAX_VALUE, bytes)).records();
    }
    Load load = new KafkaConsume(clients, topic, point.fetchBytes(), point.recordBytes(), end);
    return new Crew(List.of(load), effort.patienceNanos());
  }

  @Override
  public Pipe pipe(Point.Latency point) throws IOException, InterruptedException {
    return new KafkaPipe(clients, create(1, point.policy()), point.shape());
  }

  private String create(int partitions, Policy policy) throws IOException, InterruptedException {
    count++;
    String topic = "compare-" + count;
    try {
      clients.create(topic, partitions, policy);
    } catch (ExecutionException e) {
      throw new IOException("Kafka did not create a topic: " + e.getCause(), e);
    }
    made.add(topic);
    return topic;
  }

  @Override
  public void removeTopics() throws IOException, InterruptedException {
    try {
      for (String topic : made) {
        clients.delete(topic);
        node.awaitRemoval(topic);
      }
    } catch (ExecutionException e) {
      throw new IOException("Kafka did not delete a topic: " + e.getCause(), e);
    }
    made.clear();
  }

  /** Nothing that can be asked from outside counts what it allocates. */
  @Override
  public Usage usage() {
    OptionalDouble cpuNanos =
        handle()
            .info()
            .totalCpuDuration()
            .map(time -> OptionalDouble.of(time.toNanos()))
            .orElse(OptionalDouble.empty());
    return new Usage(cpuNanos, OptionalDouble.empty());
  }

  @Override
  public ProcessHandle handle() {
    return node.handle();
  }

  @Override
  public long readyNanos() {
    return node.readyNanos();
  }

  @Override
  public void close() {
    node.close();
  }
}
